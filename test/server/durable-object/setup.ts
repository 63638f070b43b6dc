import { place } from '../support.ts';
import { servePlatform } from './serving.ts';

// For the project `workerd`: rooms are Durable Objects.
place.serve = servePlatform;
