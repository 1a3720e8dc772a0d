/** What VS Code finds scenarios by. */
export const scenarioFiles = '**/*.podium.{yaml,yml,json}';
