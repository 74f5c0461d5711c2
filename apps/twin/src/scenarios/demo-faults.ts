import type { DeviceFault } from './scenario.ts'

/** The few sick devices of the demo, by serial. Listed for people in apps/twin/README.md. */
export const demoFaults: ReadonlyMap<string, DeviceFault> = new Map([
  // 东苑小区 六号楼 2单元: the valve's stem does not move.
  ['11110000201802', 'stuck'],
  // 纺织宿舍 4号楼 3单元: no answer on the concentrator's bus.
  ['11110000303403', 'offline'],
  // 建设里小区 9号楼 1单元: the return sensor drifts upwards.
  ['11110000404501', 'drifting-return'],
])
