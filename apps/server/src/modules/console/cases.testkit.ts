import type { consoleEndpoints } from '@isotherm/contract/endpoints/administration/console'
import type { CasesOf } from '../../testing/endpoint-cases.testkit.ts'

export const consoleCases: CasesOf<keyof typeof consoleEndpoints> = {
  getConsoleSettings: async () => ({}),
}
