import type { EndpointName } from '@isotherm/contract/endpoints/all'
import { alarmsCases } from '../modules/alarms/cases.testkit.ts'
import { balancingCases } from '../modules/balancing/cases.testkit.ts'
import { savingsCases } from '../modules/balancing/savings/cases.testkit.ts'
import { strategiesCases } from '../modules/balancing/strategies/cases.testkit.ts'
import {
  commandBatchesCases,
  commandsCases,
  lineScansCases,
  pumpsCases,
  readRequestsCases,
  suppliesCases,
  valveHoldsCases,
} from '../modules/commands/cases.testkit.ts'
import { consoleCases } from '../modules/console/cases.testkit.ts'
import { devicesCases } from '../modules/devices/cases.testkit.ts'
import { controlCases } from '../modules/devices/control/control-cases.testkit.ts'
import { exercisesCases } from '../modules/exercises/cases.testkit.ts'
import { groupsCases } from '../modules/groups/cases.testkit.ts'
import { historyCases } from '../modules/history/cases.testkit.ts'
import { irrigationCases } from '../modules/irrigation/cases.testkit.ts'
import { mapCases } from '../modules/map/cases.testkit.ts'
import { meterCases } from '../modules/meters/cases.testkit.ts'
import { networkCases } from '../modules/network/cases.testkit.ts'
import { roomsCases } from '../modules/rooms/cases.testkit.ts'
import { sessionCases } from '../modules/session/cases.testkit.ts'
import { statisticsCases } from '../modules/statistics/cases.testkit.ts'
import { systemCases } from '../modules/system/cases.testkit.ts'
import {
  findingsCases,
  networkFiguresCases,
  quarantineCases,
  rawFramesCases,
  realValuesCases,
  sendReadingsCases,
  telemetryCases,
} from '../modules/telemetry/cases.testkit.ts'
import { transferCases } from '../modules/transfer/cases.testkit.ts'
import { readingFilesCases } from '../modules/transfer/readings/cases.testkit.ts'
import { usersCases } from '../modules/users/cases.testkit.ts'
import { weatherCases } from '../modules/weather/cases.testkit.ts'
import type { CasesOf } from './endpoint-cases.testkit.ts'

/** A valid input of every endpoint. A missing one does not compile. */
export const cases: CasesOf<EndpointName> = {
  ...sessionCases,
  ...consoleCases,
  ...networkCases,
  ...mapCases,
  ...telemetryCases,
  ...networkFiguresCases,
  ...historyCases,
  ...meterCases,
  ...roomsCases,
  ...statisticsCases,
  ...weatherCases,
  ...realValuesCases,
  ...findingsCases,
  ...quarantineCases,
  ...rawFramesCases,
  ...sendReadingsCases,
  ...commandsCases,
  ...commandBatchesCases,
  ...valveHoldsCases,
  ...pumpsCases,
  ...suppliesCases,
  ...lineScansCases,
  ...readRequestsCases,
  ...groupsCases,
  ...exercisesCases,
  ...irrigationCases,
  ...controlCases,
  ...devicesCases,
  ...usersCases,
  ...systemCases,
  ...transferCases,
  ...readingFilesCases,
  ...alarmsCases,
  ...balancingCases,
  ...strategiesCases,
  ...savingsCases,
}
