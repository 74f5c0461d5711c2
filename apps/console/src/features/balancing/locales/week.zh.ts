/** Texts of the week timetable. */
export const weekZh = {
  week: {
    label: '周时间表',
    hint: '在空白处拖动可新增时段，拖动时段可移动，拖动两端可改变起止；方向键移动所选时段，Shift+方向键改变结束时间，Delete 删除。',
    dayMenu: '{{short}} 复制或清空',
    copyToAll: '复制到每天',
    copyToWorkdays: '复制到周一至周五',
    copyToOne: '复制到某一天',
    clear: '清空这一天',
    chosen: '所选时段',
    from: '开始',
    to: '结束',
    nextDay: '次日',
    slot: '时段',
    level: { flow: '流量比例', room: '室温' },
    split: '从中间分开',
    remove: '删除',
    done: '取消选择',
    add: '新增时段',
    addIt: '添加',
    list: '以文字列出',
  },
} as const
