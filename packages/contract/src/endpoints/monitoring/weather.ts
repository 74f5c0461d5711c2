import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { weather } from '../../network/weather.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

export const getWeather = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetWeather',
  summary:
    'Outdoor temperature at the companies of nodes: now and in the last day by their sensors, and the forecast of the configured source.',
  access: requiresPermission(
    'pe-fmreal',
    'pe-fmcontrol',
    'pe-fmhistory',
    'pr-rtreal',
    'pr-rtalarm',
    'pc-caldata',
    'pe-irrreal',
  ),
  effect: 'reads',
  input: z.object({
    /** The root stands for everything granted to the caller. */
    nodes: z.array(refersTo('node', nodeKey)).min(1).max(2_000),
  }),
  output: weather,
  errors: ['node.not-found'],
})

export const weatherEndpoints = { getWeather } as const
