import type { consoleEndpoints } from '@isotherm/contract/endpoints/console'
import type { CasesOf } from '../../endpoint-cases.testkit.ts'

export const consoleCases: CasesOf<keyof typeof consoleEndpoints> = {
  getConsoleSettings: async () => ({}),
}
