/**
 * A generated heating company for the tree bench. Like the answer of a server it is a flat list of nodes in preorder, with
 * ids as text. The same number of nodes always gives the same company.
 */

export interface CompanyNode {
  readonly id: string
  /** Id of the parent; empty for the root. */
  readonly parent: string
  readonly label: string
  /** Level of the product's tree: 0 root, 1 project, 2 group, 5 residential area, 6 building, 7 unit, 8 household. */
  readonly level: number
}

const GROUPS = 12
const AREAS = 8
const BUILDINGS = 20
const UNITS = 4
const FLOORS = 12
const DOORS = ['01', '02']

const SURNAMES = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕']
const GIVEN = ['秀英 桂兰 玉梅 国强 志刚 建国 丽华 海燕 文斌 春梅 永强 晓东', '淑珍 红霞 立新 金凤 卫东 雪梅']
  .join(' ')
  .split(' ')
const AREA_NAMES = '翠湖 锦绣 阳光 和平 幸福 丽景 金色 天河 滨江 春晓 明珠 书香'.split(' ')
const AREA_KINDS = '花园 家园 小区 名邸 佳苑 新村'.split(' ')

/** The searched given name: about one household in eighteen has it, but never the first household of a unit. */
export const SEARCHED_NAME = '建国'

/** The item of `list` at `index` modulo its length. */
const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? ''

/** A key like those of the product's sub-users. */
const toUuid = (number: number): string => `6f1d0c3a-5b7e-4c21-9a40-${number.toString(16).padStart(12, '0')}`

function* listNodes(): Generator<CompanyNode> {
  yield { id: '-1', parent: '', label: '二网监控平台', level: 0 }
  let number = 0
  let areas = 0
  let households = 0
  for (let project = 1; ; project += 1) {
    const projectId = String(project * 1_000)
    yield { id: projectId, parent: '-1', label: `${project}号供热公司`, level: 1 }
    for (let group = 1; group <= GROUPS; group += 1) {
      const groupId = String(project * 1_000 + group)
      yield { id: groupId, parent: projectId, label: `第${group}供热所`, level: 2 }
      for (let area = 1; area <= AREAS; area += 1) {
        areas += 1
        const areaId = String(1_000_000 + areas)
        const areaLabel = `${pick(AREA_NAMES, areas)}${pick(AREA_KINDS, areas * 5)}${areas}期`
        yield { id: areaId, parent: groupId, label: areaLabel, level: 5 }
        for (let building = 1; building <= BUILDINGS; building += 1) {
          number += 1
          const uuid = toUuid(number)
          yield { id: uuid, parent: areaId, label: `${building}号楼`, level: 6 }
          for (let unit = 1; unit <= UNITS; unit += 1) {
            const unitId = `${uuid}-L1-${unit}单元`
            yield { id: unitId, parent: uuid, label: `${unit}单元`, level: 7 }
            for (let floor = 1; floor <= FLOORS; floor += 1) {
              for (const door of DOORS) {
                households += 1
                const room = `${floor}${door}`
                const owner = `${pick(SURNAMES, households * 7)}${pick(GIVEN, households * 5 + 1)}`
                const id = `${uuid}-L2-${unit}单元-${room}`
                yield { id, parent: unitId, label: `${room} ${owner}`, level: 8 }
              }
            }
          }
        }
      }
    }
  }
}

/** The first `count` nodes of the company, top to bottom. */
export function generateCompany(count: number): readonly CompanyNode[] {
  const nodes: CompanyNode[] = []
  for (const node of listNodes()) {
    if (nodes.length === count) return nodes
    nodes.push(node)
  }
  return nodes
}

/** Ids of `count` households spread evenly over the company; the first is the company's first. */
export function spreadHouseholds(nodes: readonly CompanyNode[], count: number): readonly string[] {
  const households = nodes.filter(({ level }) => level === 8)
  const step = households.length / count
  return Array.from({ length: count }, (_, index) => households[Math.floor(index * step)]?.id ?? '')
}

/** Twenty nodes below a household: a page of lazily loaded children. */
export const generateChildren = (parent: string): readonly CompanyNode[] =>
  Array.from({ length: 20 }, (_, index) => ({
    id: `${parent}-${index + 1}号`,
    parent,
    label: `${index + 1}号房间`,
    level: 9,
  }))

/** Labels of the rows that a search shows: nodes with the text in their label, and their ancestors. */
export function listFound(nodes: readonly CompanyNode[], text: string): readonly string[] {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  const shown = new Set<string>()
  for (const { id, label } of nodes) {
    if (!label.includes(text)) continue
    for (let each: string | undefined = id; each && !shown.has(each); each = parents.get(each))
      shown.add(each)
  }
  return nodes.filter(({ id }) => shown.has(id)).map(({ label }) => label)
}
