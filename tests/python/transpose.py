rows = [["a", "b", "c"], ["d", "e", "f"]]
columns = [[row[j] for row in rows] for j in range(3)]
for column in columns:
    print(column)
print(len(columns), len(columns[0]))
