import { z } from 'zod'
import { dayRange, energyPrice, energyPrices, heatSaving } from '../../balancing/heat-saving.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { watching } from './balancing.ts'

const common = { backend: 'ht-api', method: 'POST' } as const

export const getHeatSaving = defineEndpoint({
  ...common,
  path: '/Balance/GetHeatSaving',
  summary:
    'Heat that a station saved in a period: the heat that its baseline predicts in the same weather, minus the measured heat, with a 90 % interval.',
  access: watching,
  effect: 'reads',
  input: z.object({
    /** Controller of the station. */
    deviceId: refersTo('device', z.number().int().positive()),
    /** Default: before and after the first balance or strategy of the station, or the last two heating seasons. */
    periods: z.object({ baseline: dayRange, after: dayRange }).optional(),
  }),
  output: heatSaving,
  errors: ['device.not-found', 'balance.no-station', 'history.range-too-large'],
})

export const setEnergyPrice = defineEndpoint({
  ...common,
  path: '/Balance/SetEnergyPrice',
  summary:
    'Sets the prices of heat and electricity of a node. They apply to the stations at and below it, except where a node below has its own.',
  access: requiresPermission('ps-oraigionsys', 'pd-fmdevmanager'),
  effect: 'changes',
  input: energyPrices.extend({
    node: refersTo('node', nodeKey),
    /** 0 if nobody set prices here. */
    version: z.number().int().nonnegative(),
  }),
  output: energyPrice,
  errors: ['node.not-found', 'entity.stale'],
})

export const savingsEndpoints = { getHeatSaving, setEnergyPrice } as const
