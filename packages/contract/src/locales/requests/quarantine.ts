import type { QuarantineReason } from '../../endpoints/monitoring/quarantine.ts'

/** Why the server does not use a message of a gateway, or one entry of it. */
export const quarantineTexts: Readonly<
  Record<QuarantineReason, { readonly zh: string; readonly en: string }>
> = {
  'foreign-topic': { zh: '主题不是该网关的上行主题', en: 'the topic is not an up topic of the gateway' },
  'unknown-node': {
    zh: '该公司没有登记此网关。请先登记；此前发送的内容不会保存',
    en: 'the gateway is not in the registry of the company. Add it; nothing it sent before is stored',
  },
  oversize: { zh: '报文超过长度上限', en: 'the payload is larger than the limit' },
  'malformed-json': { zh: '报文不是 JSON', en: 'the payload is no JSON' },
  'wrong-schema': {
    zh: '报文、或 `d`、`f` 中的一项缺少字段，或字段的类型、范围不正确',
    en: 'a field is missing, of the wrong type or outside its range; of the message, or of one entry of `d` or `f`',
  },
  'unknown-device': {
    zh: '设备未登记，或属于其他网关',
    en: 'the device is not in the registry, or belongs to another gateway',
  },
  'unknown-metric': {
    zh: '没有这个名称的指标；该项的其他数值已保存',
    en: 'there is no metric of this name; the other values of the entry are stored',
  },
  'no-values': { zh: '该项没有数值，或报文为空', en: 'an entry without values, or an empty payload' },
  'future-instant': {
    zh: '读数的时间在未来：时钟偏快',
    en: 'the reading is from the future: the clock is fast',
  },
  'ancient-instant': {
    zh: '读数过早：时钟不准，或设备缓存的时间超过了保存期限',
    en: 'the reading is too old: the clock is wrong, or the store of the device holds more than is retained',
  },
  'unknown-command': {
    zh: '回复中的编号或设备不属于该网关的任何命令',
    en: 'a reply whose id or device belongs to no command of this gateway',
  },
  'not-storable': { zh: '数据库拒绝保存该内容', en: 'the database refuses the content' },
  'unsupported-channel': {
    zh: '仅见于开始保存原始报文之前的记录',
    en: 'only in entries from before raw frames were stored',
  },
}
