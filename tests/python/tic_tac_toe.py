board = "XOX OOX X"
lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def winner(b):
    for i, j, k in lines:
        if b[i] != " " and b[i] == b[j] == b[k]:
            return b[i]
    return "nobody"

print(board[:3] + "\n" + board[3:6] + "\n" + board[6:])
print(winner(board), winner("XXXOO    "), winner("O  XO X O"))
