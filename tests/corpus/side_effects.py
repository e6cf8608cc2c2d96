# treatment: replaced, keeps save, show, reset
class Value:
    #: init & arithmetic

    def save(self):
        with open("saved.txt", "a") as file:
            file.write("saved\\n")

    def show(self):
        print("shown", self.data)

    def reset(self):
        print("reset")
        self.grad = 0.0

    #: backward & repr


#: program
a.show()
a.reset()
import os
print(os.path.exists("saved.txt"), a.grad)
