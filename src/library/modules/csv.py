QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    pass


def reader(csvfile, dialect="excel", delimiter=",", quotechar='"', skipinitialspace=False,
           quoting=QUOTE_MINIMAL):
    row, field, inside, quoted = [], "", False, False
    for line in csvfile:
        at = 0
        while at < len(line):
            c = line[at]
            if inside and c == quotechar and line[at + 1:at + 2] == quotechar:
                field += c
                at += 1
            elif c == quotechar and (inside or not field):
                inside = not inside
                quoted = True
            elif c == delimiter and not inside:
                row.append(float(field) if quoting == QUOTE_NONNUMERIC and not quoted else field)
                field, quoted = "", False
            elif inside or c not in "\r\n" and not (c == " " and skipinitialspace and not field):
                field += c
            at += 1
        if not inside:
            if line.strip("\r\n") or row:
                row.append(float(field) if quoting == QUOTE_NONNUMERIC and not quoted else field)
            yield row
            row, field, quoted = [], "", False


class writer:
    def __init__(self, csvfile, dialect="excel", delimiter=",", quotechar='"',
                 quoting=QUOTE_MINIMAL, lineterminator="\r\n"):
        self._file = csvfile
        self._delimiter, self._quote = delimiter, quotechar
        self._quoting, self._end = quoting, lineterminator

    def _field(self, value, alone):
        text = "" if value is None else str(value)
        special = any(c in text for c in (self._delimiter, self._quote, "\r", "\n"))
        special = special or alone and not text
        number = isinstance(value, (int, float))
        quoting = self._quoting
        if special or quoting == QUOTE_ALL or quoting == QUOTE_NONNUMERIC and not number:
            return self._quote + text.replace(self._quote, self._quote * 2) + self._quote
        return text

    def writerow(self, row):
        row = list(row)
        fields = [self._field(x, len(row) == 1) for x in row]
        return self._file.write(self._delimiter.join(fields) + self._end)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, **options):
        self._rows = reader(f, **options)
        self._names, self._more, self._missing = fieldnames, restkey, restval

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self._rows, None)
        return self._names

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self._rows)
        while not row:
            row = next(self._rows)
        found = dict(zip(names, row + [self._missing] * (len(names) - len(row))))
        if len(row) > len(names):
            found[self._more] = row[len(names):]
        return found


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", **options):
        self.fieldnames, self._missing, self._extras = fieldnames, restval, extrasaction
        self.writer = writer(f, **options)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def writerow(self, row):
        wrong = [repr(key) for key in row if key not in self.fieldnames]
        if wrong and self._extras == "raise":
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join(wrong))
        return self.writer.writerow([row.get(key, self._missing) for key in self.fieldnames])

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
