#include "CMartletZlib.h"
