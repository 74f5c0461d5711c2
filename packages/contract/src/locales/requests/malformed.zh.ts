/** Why a part of a request is refused, as the server words it, with its Chinese text. $1 is the first group. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^is missing$/, '缺少'],
  [/^must be a (?:text|string)$/, '应为文字'],
  [/^must be a(?:n)? (?:number|int|integer)$/, '应为数字'],
  [/^must be (?:true or false)$/, '应为 true 或 false'],
  [/^must be a list$/, '应为列表'],
  [/^must be an object$/, '应为对象'],
  [/^must have at least (\S+) (?:characters|items)$/, '长度至少为 $1'],
  [/^must have at most (\S+) (?:characters|items)$/, '长度最多为 $1'],
  [/^must be at least (\S+)$/, '不能小于 $1'],
  [/^must be more than (\S+)$/, '应大于 $1'],
  [/^must be at most (\S+)$/, '不能大于 $1'],
  [/^must be less than (\S+)$/, '应小于 $1'],
  [/^has the wrong format$/, '格式不正确'],
  [/^is not one of the allowed values$/, '不是允许的值'],
  [/^has unknown fields$/, '含有未知的字段'],
  [/^must (?:be after|not be before) from$/, '结束时间应晚于开始时间'],
  [/^must not overlap baseline$/, '不能与基准期重叠'],
  [/(?:is listed|occurs) twice$/, '含有重复项'],
  [/^a pipe connects two nodes$/, '管段两端应为不同节点'],
  [/^no action is given$/, '没有指定操作'],
  [/needs both thresholds$/, '需要两个阈值'],
  [/has no thresholds$/, '没有阈值'],
  [/^is beyond raiseAt$/, '超过了触发阈值'],
  [/^this alarm counts all devices$/, '此告警统计所有设备'],
  [/^a \S+ cannot have /, '这类设备没有此告警'],
  [/^within the next 90 days$/, '应在 90 天以内'],
  [/^within a year from now$/, '应在一年以内'],
  [/^at is in the future$/, '时间在未来'],
  [/is for texts$/, '只能用于文字'],
  [/^no vstd$/, '没有比较值'],
  [/^not a number$/, '应为数字'],
  [/is not a metric$/, '没有这个指标'],
  [/^either these, or groupId and openingPct$/, '请指定设备，或分组与开度'],
]

/** Chinese text of a reason. A reason without one is named as invalid, never shown in English. */
export function toMalformedZh(reason: string): string {
  for (const [pattern, text] of reasons) {
    const found = pattern.exec(reason)
    if (found) return text.replace('$1', found[1] ?? '')
  }
  return '内容无效'
}
