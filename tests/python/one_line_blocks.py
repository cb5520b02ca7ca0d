for i in range(3): print(i, end=","); print(i * i)
if True: print("yes")
else: print("no")
n = 3
while n > 0: n -= 1
print(n)
def double(x): return 2 * x
print(double(21)); print(double("ab"))
