SUITE(model_gradients)
SUITE(model_training)
SUITE(model_reference)
SUITE(model_observer)
