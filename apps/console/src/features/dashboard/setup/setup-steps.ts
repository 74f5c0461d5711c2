import type { GuardedPath } from '@isotherm/contract/access/routes'
import { getUsers } from '@isotherm/contract/endpoints/administration/users'
import { getDevs, insertDev } from '@isotherm/contract/endpoints/devices/devices'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { getVauser } from '@isotherm/contract/endpoints/network/network'
import { addCompany, getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { addSubUser } from '@isotherm/contract/endpoints/network/vausers'
import { call } from '../../../shared/api/client.ts'
import { mayCall } from '../../../shared/session/may-call.ts'
import { mayOpen } from '../../../shared/session/may-open.ts'

/** The steps from an empty installation to the first reading, and to colleagues, in order. */
export const setupSteps = [
  'company',
  'structure',
  'devices',
  'concentrators',
  'reading',
  'colleagues',
] as const
export type SetupStep = (typeof setupSteps)[number]

/** The installation is live without these. */
export const optionalSteps: ReadonlySet<SetupStep> = new Set(['colleagues'])

/** The first page that the user may open is the place of a step. Steps without a page are done on the home page. */
export const pagesOfStep: Readonly<Record<SetupStep, readonly GuardedPath[]>> = {
  company: [],
  structure: [],
  devices: ['/dev/fmdevmanager', '/dev/rtcaldevmanager', '/dev/caldevmanager', '/dev/datadevmanager'],
  concentrators: ['/dev/datadevmanager'],
  reading: ['/dev/devdebug', '/ewph/fmreal'],
  colleagues: ['/users/usersetting', '/sys/usersys', '/sys/htusersys'],
}

type Permitted = ReadonlySet<string>

/** The page of a step that the user may open. */
export const findPage = (step: SetupStep, permitted: Permitted): GuardedPath | undefined =>
  pagesOfStep[step].find((path) => mayOpen(path, permitted))

const needs: Readonly<Record<SetupStep, (permitted: Permitted) => boolean>> = {
  company: (permitted) => mayCall(addCompany, permitted),
  structure: (permitted) => mayCall(addSubUser, permitted),
  devices: (permitted) => mayCall(insertDev, permitted),
  concentrators: (permitted) => mayCall(insertDev, permitted),
  reading: (permitted) => mayCall(insertDev, permitted) && mayCall(getThreeSelectNewRealDev, permitted),
  colleagues: (permitted) => mayCall(getUsers, permitted),
}

/** The steps that the user may do, in order. */
export const listSteps = (permitted: Permitted): readonly SetupStep[] =>
  setupSteps.filter(
    (step) =>
      needs[step](permitted) && (pagesOfStep[step].length === 0 || findPage(step, permitted) !== undefined),
  )

const first = { page: 1, size: 1 }
const SEEN = ['present', 'silent', 'unknown'] as const

/** Whether any device has ever reported: one is present, or it was and is silent now. */
const hasReading = async (signal: AbortSignal): Promise<boolean> =>
  (await call(getThreeSelectNewRealDev, { presence: [...SEEN], limiter: first }, { signal, quiet: true }))
    .total > 0

const countDevices = async (signal: AbortSignal, kind?: 'concentrator'): Promise<number> =>
  (await call(getDevs, { pageNo: 1, pageSize: 1, ...(kind && { kind }) }, { signal, quiet: true })).total

/** Whether each step is done, by a call of the server. */
export const checks: Readonly<Record<SetupStep, (signal: AbortSignal) => Promise<boolean>>> = {
  company: async (signal) =>
    (await call(getCompanies, { limiter: first }, { signal, quiet: true })).total > 0,
  structure: async (signal) => (await call(getVauser, { limiter: first }, { signal, quiet: true })).total > 0,
  devices: async (signal) => (await countDevices(signal)) > (await countDevices(signal, 'concentrator')),
  // Devices with a link of their own need no concentrator.
  concentrators: async (signal) =>
    (await countDevices(signal, 'concentrator')) > 0 || (await hasReading(signal)),
  reading: hasReading,
  colleagues: async (signal) =>
    (await call(getUsers, { pageNo: 1, pageSize: 1 }, { signal, quiet: true })).total > 1,
}
