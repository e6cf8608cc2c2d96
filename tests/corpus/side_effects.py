# treatment: replaced, keeps save, show, reset
#: constructor

    #: arithmetic

    def save(self):
        with open("saved.txt", "a") as file:
            file.write("saved\\n")


    def show(self):
        print("shown", self.data)


    def reset(self):
        print("reset")
        self.grad = 0.0

    #: backward


for x in (0.3, -1.7, 2.9):
    a, b = Value(x), Value(x + 1.25)
    out = (a * b + a) * b
    out.backward()
    print(float(out.data).hex(), float(a.grad).hex(), float(b.grad).hex())
a.show()
a.reset()
import os

print(os.path.exists("saved.txt"), a.grad)
