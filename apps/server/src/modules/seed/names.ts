const split = (words: string): readonly string[] => words.split(' ')

const AREA_STARTS = split(
  '阳光 翠湖 锦绣 和平 幸福 丽景 金色 天河 滨江 春晓 明珠 书香 东苑 西苑 南苑 北苑 纺织 铁路 建设 胜利 ' +
    '光明 新华 文化 青年 友谊 团结 朝阳 向阳 红旗 前进 长青 松鹤 碧水 蓝天 银河 紫薇 玉兰 牡丹 海棠 梧桐 ' +
    '龙泉 凤凰 麒麟 泰和 安康 富强 民生 康宁 盛世 世纪 御景 观澜 学府 理想 时代 未来 中央 星河 月亮湾 凯旋 ' +
    '机床厂 化肥厂 电力 邮电',
)
const AREA_KINDS = split('小区 花园 家园 佳苑 新村 名邸 公寓 宿舍 雅居 华庭 嘉园 里小区 苑小区 广场')
/** Suffixes that distinguish areas of the same name; the first area has none. */
const AREA_PARTS = split('二期 三期 东区 西区 南区 北区 甲区 乙区 丙区 丁区 四期')

const STREETS = split(
  '文化 人民 解放 中山 建国 新华 青年 胜利 友谊 光明 振兴 迎宾 长江 黄河 泰山 昆仑 松花江 北京 上海 天津 ' +
    '兴工 沿河 公园 体育 学院 站前 南关 北关 东关 西关 工农 民主 和谐 劳动 创业 科技 滨河 朝阳 花园 钟楼',
)
const STREET_KINDS = split('路 街 大街 巷')
const CHINESE = split('一 二 三 四 五 六 七 八 九 十')

const DISTRICTS = split('城东 城西 城南 城北 老城 新城 经开 高新 滨河 站前 临港 大学城')
const COMPANIES = split('城区 东城 西城 南城 北城 新区 开发区 滨江 河东 河西 高新区 经开区')

const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? ''

/** 1, 2, 3 … as Chinese numerals up to ninety-nine, then as digits. */
function toNumeral(number: number): string {
  if (number <= 10) return pick(CHINESE, number - 1)
  if (number >= 100) return String(number)
  const tens = Math.floor(number / 10)
  const ones = number % 10
  return `${tens === 1 ? '' : pick(CHINESE, tens - 1)}十${ones === 0 ? '' : pick(CHINESE, ones - 1)}`
}

/** Name of the n-th item from `words`, from 0. When all words are used, the next pass adds a number: 第二. */
const toNumberedName = (words: readonly string[], index: number, end: string): string => {
  const pass = Math.floor(index / words.length)
  return `${pick(words, index)}${pass === 0 ? '' : `第${toNumeral(pass + 1)}`}${end}`
}

/** Name of the n-th subsidiary company, from 0: 东城供热公司. */
export const toCompanyName = (index: number): string => toNumberedName(COMPANIES, index, '供热公司')

/** Name of the n-th operating area of a company, from 0: 城东区域. */
export const toDistrictName = (index: number): string => toNumberedName(DISTRICTS, index, '区域')

/** Name of the n-th heat station, from 0: 文化路换热站, 文化路二号换热站. */
export function toStationName(index: number): string {
  const street = pick(STREETS, index)
  const kind = pick(STREET_KINDS, Math.floor(index / STREETS.length))
  const pass = Math.floor(index / (STREETS.length * STREET_KINDS.length))
  return `${street}${kind}${pass === 0 ? '' : `${toNumeral(pass + 1)}号`}换热站`
}

/** Name of the n-th residential area (小区), from 0, unique in a company: 翠湖花园, 翠湖花园二期. */
export function toAreaName(index: number): string {
  // The counts of starts and kinds have a common factor. One extra step per pass reaches every pair.
  const pairs = AREA_STARTS.length * AREA_KINDS.length
  const pass = Math.floor(index / pairs)
  const kind = pick(
    AREA_KINDS,
    (index % AREA_STARTS.length) + Math.floor((index % pairs) / AREA_STARTS.length),
  )
  const part = pass === 0 ? '' : (AREA_PARTS[pass - 1] ?? `${toNumeral(pass + 1)}组团`)
  return `${pick(AREA_STARTS, index)}${kind}${part}`
}

/** 3号楼 or 三号楼. */
export const toBuildingName = (number: number, numerals: 'digits' | 'chinese'): string =>
  `${numerals === 'chinese' ? toNumeral(number) : number}号楼`

export const toUnitName = (number: number): string => `${number}单元`

/** 1502: floor, then the door in two digits. */
export const toHouseholdName = (floor: number, door: number): string =>
  `${floor}${String(door).padStart(2, '0')}`
