def clock(seconds):
    minutes, seconds = seconds // 60, seconds % 60
    hours, minutes = minutes // 60, minutes % 60
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}"

for s in (0, 59, 60, 3599, 3661, 86399):
    print(s, clock(s))
