import { testActions } from './harness.ts';
import { attributes } from './deeds/attribute.ts';
import { controlFlow } from './deeds/control-flow.ts';
import { variables } from './deeds/variable.ts';

testActions('control flow', controlFlow);
testActions('variables', variables);
testActions('attributes', attributes);
