raise ValueError("ends here under CPython too")
