import type { Fault } from '../faults/fault.ts'

/** Faulty devices of the demo; apps/twin/README.md lists them too. */
export const demoFaults: readonly Fault[] = [
  // 东苑小区 六号楼 2单元: the valve's stem does not move.
  { kind: 'stuck', target: '11110000201802' },
  // 纺织宿舍 4号楼 3单元: no answer on the concentrator's bus.
  { kind: 'offline', target: '11110000303403' },
  // 建设里小区 9号楼 1单元: the return sensor drifts upwards by as much as 6 K.
  {
    kind: 'drift',
    target: '11110000404501',
    metric: 'temp.return',
    limit: 6,
    timeS: 72 * 3600,
    fromS: 0,
  },
]
