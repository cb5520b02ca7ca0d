"""The lines by which a file of a package finds the others when it is run as a script."""
import os
import sys

if __name__ == "__main__" and __package__ is None:
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "examples"
    print("run as a script")
