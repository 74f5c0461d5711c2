import { encodeCjtRead, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { simulateCjtMeter } from '../../field/simulated-devices.testkit.ts'
import type { SimulatedModule } from './simulator.testkit.ts'

export const METER = '00001112345678'

/** A module behind which is a CJ/T 188 heat meter with a valve: it reports the meter's answer, and passes commands to it. */
export function simulateMeterModule(platformId: string) {
  const meter = simulateCjtMeter(METER)
  const address = toCjtAddress(METER)
  if (address === undefined) throw new Error('no address')
  const request = encodeCjtRead({ address, type: 0x20, order: 'big', sequence: 1 }, 0x901f)
  const module: SimulatedModule = {
    platformId,
    report: () => meter.answer(request) ?? new Uint8Array(),
    receive(command) {
      if (command instanceof Uint8Array) meter.answer(command)
    },
  }
  return { ...module, state: meter.state }
}

/** A module with a product model: room temperature in tenths, opening in %, and a command that sets it. */
export function simulateValveModule(platformId: string, opening: number, parameter = 'opening') {
  const state = { opening, writes: [] as number[] }
  const module: SimulatedModule = {
    platformId,
    report: () => ({ temperature: 215, opening: String(state.opening) }),
    receive(command) {
      const value = command instanceof Uint8Array ? undefined : command[parameter]
      if (typeof value !== 'number') return
      state.opening = value
      state.writes.push(value)
    },
  }
  return { ...module, state }
}
