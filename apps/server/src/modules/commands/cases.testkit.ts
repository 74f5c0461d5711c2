import type { commandBatchesEndpoints } from '@isotherm/contract/endpoints/control/command-batches'
import type { commandsEndpoints } from '@isotherm/contract/endpoints/control/commands'
import type { pumpsEndpoints } from '@isotherm/contract/endpoints/control/pumps'
import type { suppliesEndpoints } from '@isotherm/contract/endpoints/control/supplies'
import type { valveHoldsEndpoints } from '@isotherm/contract/endpoints/control/valve-holds'
import type { lineScansEndpoints } from '@isotherm/contract/endpoints/devices/line-scans'
import type { readRequestsEndpoints } from '@isotherm/contract/endpoints/devices/read-requests'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { reportOnce } from '../../testing/connect-gateway.testkit.ts'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const given = z.object({ commands: z.array(z.object({ id: z.string() })) })

const toCommand = async ({ server }: World) => ({
  targets: [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 40 }],
  reason: 'test',
})

export const commandsCases: CasesOf<keyof typeof commandsEndpoints> = {
  publishMqCtlCmd: toCommand,
  async previewMqCtlCmd(world) {
    const { reason: _, ...order } = await toCommand(world)
    return order
  },
  async getCtlLog(world) {
    await world.callOk('publishMqCtlCmd', await toCommand(world))
    return {
      nodes: [await world.server.nodeKey('s1')],
      deviceIds: [await world.server.deviceId('V-b2u1')],
      limiter: { page: 1, size: 100 },
    }
  },
  getCtlLogCmdLast: async ({ server }) => ({ deviceIds: [await server.deviceId('V-b2u1')] }),
  async deleteCtlCmd(world) {
    const { commands } = given.parse(await world.callOk('publishMqCtlCmd', await toCommand(world)))
    return { ids: commands.map(({ id }) => id) }
  },
  updateDevLastOpenset: async ({ server }) => ({
    items: [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 45 }],
  }),
}

const givenBatch = z.object({ batchId: z.string() })

/** A batch whose commands stay open long enough for a test. */
async function toBatch(world: World): Promise<string> {
  return givenBatch.parse(await world.callOk('publishMqCtlCmd', await toCommand(world))).batchId
}

export const commandBatchesCases: CasesOf<keyof typeof commandBatchesEndpoints> = {
  getCtlBatches: async (world) => ({
    nodes: [await world.server.nodeKey('s1')],
    batchIds: [await toBatch(world)],
    limiter: { page: 1, size: 10 },
  }),
  pauseCtlBatch: async (world) => ({ batchId: await toBatch(world) }),
  async resumeCtlBatch(world) {
    const batchId = await toBatch(world)
    await world.callOk('pauseCtlBatch', { batchId })
    return { batchId }
  },
  cancelCtlBatch: async (world) => ({ batchId: await toBatch(world) }),
  async retryCtlBatch(world) {
    const batchId = await toBatch(world)
    await world.server.db
      .updateTable('command')
      .set({ state: 'failed', deadline_ms: null, next_attempt_ms: null, tried_ms: null })
      .where('batch_id', '=', batchId)
      .execute()
    return { batchId }
  },
}

const givenHolds = z.object({ datalist: z.array(z.object({ id: z.number() })) })

/** A new hold on a valve of the first station. */
async function toHold(world: World): Promise<number> {
  const { targets } = await toCommand(world)
  const holdUntil = Date.now() + HOUR_MS
  await world.callOk('publishMqCtlCmd', { targets, reason: 'test', holdUntil })
  const deviceIds = targets.map(({ deviceId }) => deviceId)
  const { datalist } = givenHolds.parse(
    await world.callOk('getHolds', { deviceIds, limiter: { page: 1, size: 10 } }),
  )
  const [hold] = datalist
  if (!hold) throw new Error('nothing is held')
  return hold.id
}

const made = z.object({ id: z.number() })

/** A station in the first tree whose controller accepts heads and offsets; its setpoint is 60 kPa, its offset 0. */
async function toStation(world: World): Promise<number> {
  const { server, callOk, unique } = world
  const model = { kind: 'station', name: unique('S'), maker: '泵厂' }
  const imei = unique('ST-')
  const { id } = made.parse(
    await callOk('insertDev', {
      kind: 'station',
      imei,
      name: imei,
      modelId: made.parse(await callOk('addDevModel', model)).id,
      node: await server.nodeKey('s1'),
      periodS: 60,
    }),
  )
  const pressures = { 'pressure.supply': 360, 'pressure.return': 300 } as const
  await reportOnce(server, imei, { [imei]: { ...pressures, 'pump.target': 60, 'supply.offset': 0 } })
  return id
}

export const pumpsCases: CasesOf<keyof typeof pumpsEndpoints> = {
  getPumps: async (world) => ({ deviceIds: [await toStation(world)] }),
  setPumpHead: async (world) => ({ deviceId: await toStation(world), headKpa: 70, reason: 'test' }),
  setPumpLimits: async (world) => ({
    deviceId: await toStation(world),
    version: 0,
    limits: { minHeadKpa: 40, maxHeadKpa: 120, maxStepKpa: 20 },
  }),
}

export const suppliesCases: CasesOf<keyof typeof suppliesEndpoints> = {
  getSupplies: async (world) => ({ deviceIds: [await toStation(world)] }),
  setSupplyOffset: async (world) => ({ deviceId: await toStation(world), offsetK: -1, reason: 'test' }),
  setSupplyLimits: async (world) => ({
    deviceId: await toStation(world),
    version: 0,
    limits: { minOffsetK: -5, maxOffsetK: 2, maxStepK: 1 },
  }),
}

const limitsPage = z.object({
  datalist: z.array(z.object({ version: z.number(), maxStepPct: z.number().optional() })),
})

export const valveHoldsCases: CasesOf<keyof typeof valveHoldsEndpoints> = {
  async getHolds(world) {
    await toHold(world)
    return {
      nodes: [await world.server.nodeKey('s1')],
      deviceIds: [await world.server.deviceId('V-b2u1')],
      limiter: { page: 1, size: 10 },
    }
  },
  releaseHolds: async (world) => ({ ids: [await toHold(world)] }),
  getControlLimits: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
  async setControlLimits(world) {
    const node = await world.server.nodeKey('s1')
    const { datalist } = limitsPage.parse(await world.callOk('getControlLimits', { nodes: [node] }))
    const [{ version, maxStepPct } = { version: 0, maxStepPct: undefined }] = datalist
    return { node, version, maxStepPct: maxStepPct === 100 ? 99 : 100 }
  },
}

export const readRequestsCases: CasesOf<keyof typeof readRequestsEndpoints> = {
  requestRead: async ({ server }) => ({ deviceId: await server.deviceId('V-b2u1') }),
  getReadRequest: async ({ server }) => ({ deviceId: await server.deviceId('V-b2u1') }),
}

export const lineScansCases: CasesOf<keyof typeof lineScansEndpoints> = {
  startLineScan: async ({ server }) => ({
    deviceId: await server.deviceId('C-b2'),
    line: 'L1',
    method: 'mbus-secondary',
  }),
  stopLineScan: async ({ server }) => ({ deviceId: await server.deviceId('C-b2'), line: 'L1' }),
  getLineScans: async ({ server }) => ({ deviceId: await server.deviceId('C-b2') }),
}
