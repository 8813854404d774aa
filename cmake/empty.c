typedef int Empty;
