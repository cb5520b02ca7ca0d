data = "name,age,city;ann,31,Oslo;bob,25,Lima"
records = [line.split(",") for line in data.split(";")]
header = records[0]
for record_of in records[1:]:
    print("; ".join([f"{h}={v}" for h, v in zip(header, record_of)]))
print(sum([int(r[1]) for r in records[1:]]))
