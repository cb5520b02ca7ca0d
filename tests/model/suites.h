SUITE(model_gradients)
SUITE(model_training)
