import { z } from 'zod'
import { finding, findingRule } from '../../alarms/finding.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from '../devices/device-access.ts'

/** Pages that show findings of devices. */
export const viewingFindings = requiresPermission('pc-caldata', 'pd-devdebug', ...managingDevices.anyOf)

export const getFindings = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetFindings',
  summary: 'Findings of the plausibility rules on the devices granted to the caller, newest first.',
  access: viewingFindings,
  effect: 'reads',
  input: z.object({
    /** Only of devices at or below the node. */
    node: refersTo('node', nodeKey).optional(),
    deviceIds: z.array(refersTo('device', z.number().int().positive())).min(1).max(500).optional(),
    rules: z.array(findingRule).min(1).max(20).optional(),
    /** Only findings that persist. */
    isOpen: z.boolean().default(false),
    /** Only findings within a half-open range. */
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(finding),
  errors: ['node.not-found', 'device.not-found'],
})

export const findingsEndpoints = { getFindings } as const
