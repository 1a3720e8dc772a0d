/** What is loaded when an assistant first asks. */
export { answer, prepare } from './tool-answers.ts';
export { serverDefinitions } from './mcp-server.ts';
