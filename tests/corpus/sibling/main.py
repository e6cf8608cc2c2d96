# treatment: replaced
from engine import Value
from model import Neuron
neuron = Neuron([0.5, -1.5])
out = neuron([2.0, Value(3.0)])
out.backward()
print(out.data, [w.grad for w in neuron.weights])
