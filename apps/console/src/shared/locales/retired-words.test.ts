import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')
const files = globSync(['{apps,packages}/*/src/**/locales/*.ts', 'packages/contract/src/metrics.ts'], {
  cwd: root,
}).filter((path) => !path.endsWith('.test.ts'))

/** Words that users must not read, with the word of docs/domain/glossary.md. */
const retired = {
  zh: [
    [/离线|无响应|通信中断/, '失联'],
    [/(?<!从)未上报/, '失联, or 从未上报'],
    [/情况不明|无法得知/, '状态未知'],
    [/存疑|质量差/, '数据可疑'],
    [/指令/, '命令'],
    [/结果不明/, '结果未知'],
    [/位置已确认/, '已到位'],
    [/管辖范围|管理范围/, '权限范围'],
    [/没有此(?:节点|设备|策略|平衡任务|角色|用户|批)/, '……不存在，或不在您的权限范围内'],
    [/热表(?!头)/, '热量表'],
    [/室温传感器/, '室温采集器'],
    [/站控(?!制器)|控制柜/, '换热站控制器'],
    [/循环水泵/, '循环泵'],
    [/压头设定/, '压差设定'],
    [/离散/, '标准差'],
    [/极差/, '分位差'],
    [/单位面积热/, '热指标'],
    [/供热曲线/, '气候补偿曲线'],
    [/供暖季/, '采暖季'],
    [/草案/, '待批准, or 草稿'],
    [/[八九]成/, '90% 置信, or 80% 区间'],
    [/自行中止/, '自动中止'],
    [/时段之外/, '其余时间'],
    [/卡滞/, '卡涩'],
    [/再看看/, '取消'],
  ],
  en: [
    [/\btold\b|\btells?\b/i, 'sent, reported or notified'],
    [/\bbeliev/i, 'usable, or suspect'],
    [/\bdoubtful\b/i, 'suspect'],
    [/\bheard\b/i, 'online, or offline'],
    [/\byour area\b/i, 'your access'],
    [/\bthere is no such\b/i, '… not found, or outside your access'],
    [/\bworst loop\b/i, 'index circuit'],
    [/\bspread\b/i, 'std dev, or range'],
    [/\bheating line\b/i, 'heating curve'],
    [/\banew\b/i, 'again, or recalculate'],
    [/\bby itself\b|\bby themselves\b/i, 'automatically'],
    [/\bway back\b|\bturn(ed)? back\b/i, 'roll back'],
    [/\b(9|nine|8) (cases )?(of|in) (10|ten)\b|\bnine cases\b/i, '90% confidence, or 80% interval'],
    [/\bwhoever\b/i, 'the user who'],
    [/\bsign(ed|ing)? in\b/i, 'log in'],
    [/^not (yet|now)$/i, 'Cancel'],
  ],
} as const satisfies Record<string, readonly (readonly [RegExp, string])[]>

/** Names of earlier versions that an import still accepts. */
const acceptedOnImport: readonly string[] = ['室温传感器']

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

/** The texts of a file: its strings, without imports and comments. */
function readTexts(path: string): readonly string[] {
  const code = readFileSync(join(root, path), 'utf8')
    .replace(/^import .*$|^\} from .*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return [...code.matchAll(STRING)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((text) => !acceptedOnImport.includes(text))
}

test('the texts of console, contract and server are found', () => {
  for (const part of ['apps/console/', 'apps/server/', 'packages/contract/'])
    expect(files.filter((path) => path.startsWith(part)).length, part).toBeGreaterThan(2)
})

/** Retired words in texts, each with its standard word. */
const findRetired = (texts: readonly string[], language: keyof typeof retired): readonly string[] =>
  texts.flatMap((text) =>
    retired[language]
      .filter(([word]) => word.test(text))
      .map(([word, standard]) => `"${word.exec(text)?.[0]}" (write: ${standard}) in: ${text}`),
  )

describe.each(['zh', 'en'] as const)('texts in %s', (language) => {
  test('the manual has no retired word', () => {
    const chapters = globSync(`docs/manual/${language}/*.md`, { cwd: root })
    expect(chapters.length).toBeGreaterThan(30)
    const lines = chapters.flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
    expect(findRetired(lines, language)).toEqual([])
  })

  test.each(files)('%s has no retired word', (path) => {
    expect(findRetired(readTexts(path), language)).toEqual([])
  })
})
