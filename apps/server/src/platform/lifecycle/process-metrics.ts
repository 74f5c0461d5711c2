import { collectDefaultMetrics, type Registry } from 'prom-client'

/** Memory, CPU, event loop and file handles of the process. */
export const addProcessMetrics = (registry: Registry): void =>
  collectDefaultMetrics({ register: registry, prefix: 'isotherm_' })
