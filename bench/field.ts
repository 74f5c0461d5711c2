import type { Bench } from './bench.ts'
import { measureCodecs } from './field/measure-codecs.ts'
import { measureGateway } from './field/measure-gateway.ts'

export const bench: Bench = {
  name: 'field',
  about: 'frames of field buses decoded per second and core; lines, memory and throughput of a gateway',
  async run() {
    const codecs = measureCodecs()
    const gateway = await measureGateway()
    return {
      figures: { ...codecs.figures, ...gateway.figures },
      peers: [...codecs.peers, ...gateway.peers],
      notes: [...codecs.notes, ...gateway.notes],
    }
  },
}
