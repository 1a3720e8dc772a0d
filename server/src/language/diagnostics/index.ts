/** What is wrong with the files of the workspace, told or answered. It is loaded with the first file there is. */
export { Problems } from './problems.ts';
export { publish } from './publisher.ts';
export { PulledProblems } from './pulled.ts';
