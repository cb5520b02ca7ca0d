# Built in: copy deepcopy
