import type { IndexName } from '@isotherm/balancing/index-meanings'

/** What each index tells, in a sentence. */
export const indicesZh = {
  sigmaReturnK: '各阀门回水温度偏离各自目标的程度，按面积加权的标准差；地暖目标低 1 K；越小越平衡。',
  spreadReturnK: '回水偏差第 95 与第 5 百分位之差：最热与最冷之间相差多少。',
  withinOneK: '回水温度与各自目标相差不到 1 K 的阀门占比，目标取平均水平，地暖低 1 K。',
  withinHalfK: '回水温度与各自目标相差不到 0.5 K 的阀门占比，目标取平均水平，地暖低 1 K。',
  sigmaRoomK: '室温的标准差：各户冷热相差的程度。',
  under18: '低于法定 18 °C 的房间占比。',
  over22: '高于 22 °C、可以省热的房间占比。',
  over24: '高于 24 °C、明显过热的房间占比。',
  leastImbalance: '流量最不足处：实际流量与所需流量之比的最小值。',
  greatestImbalance: '流量最过剩处：实际流量与所需流量之比的最大值。',
  balanceDegreePass: '水力平衡度在 0.9 到 1.2 之间的用户占比，已扣除总流量的大小。',
  flowBalance: '流量按需分配的均匀程度：1 为完全平衡。',
  heatIntensityVariation: '单位面积热量的变异系数：各处得热相差的程度。',
  hydraulicStability: '其他阀门动作时，用户流量保持不变的能力；越接近 1 越稳定。',
  totalFlowKgS: '环路各阀门流量之和。',
  dropK: '站内供水与回水的温差。',
  headPa: '站内供水与回水的压差，即资用压头。',
  pumpW: '循环泵把总流量送过资用压头所需的电功率。',
  pumpMonthKWhM2: '按现在的功率折算，每平方米一个月的泵耗电量。',
  heatWM2: '环路平均每平方米得到的热功率。',
  heatWM2K: '每平方米、每度室内外温差的热功率：扣除天气之后的耗热水平。',
  loopPressureDifference:
    '按现有开度、所需流量计算，各并联环路压力损失与平均值的最大相对差额；15% 以内为合格。',
  movesPerValve: '每个阀门的动作次数：最近 7 天，或平衡任务的一轮之内。',
  movesPerValveDay: '最近 7 天每个阀门平均每天动作的次数，不论由谁操作；过多会耗尽电池。',
  travelPerValve: '每个阀门走过的全行程数：最近 7 天，或平衡任务的一轮之内。',
  excludedShare: '不参与平衡的阀门占比：被保持、停用、失联或无法测量。',
  saturatedShare: '已全开或已到最小开度、无法再调的阀门占比。',
  notMeasuredShare: '没有可信回水温度的阀门占比。',
} as const satisfies Record<IndexName, string>
