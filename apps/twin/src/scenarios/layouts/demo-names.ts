/** A residential area: buildings along one street main. `numerals`: script of its building numbers. */
export interface AreaNames {
  readonly name: string
  readonly buildings: number
  readonly numerals: 'digits' | 'chinese'
}

export interface StationNames {
  readonly name: string
  readonly areas: readonly AreaNames[]
  /** Subdivision type of the station. */
  readonly stype?: string
}

export interface DistrictNames {
  readonly name: string
  readonly stations: readonly StationNames[]
}

/** A greenhouse: its pump house, and its areas with their groups and the program that waters them. */
export interface NurseryNames {
  readonly name: string
  readonly pumpHouse: string
  readonly areas: readonly {
    readonly name: string
    readonly groups: readonly string[]
    readonly program: string
  }[]
}

/** The demo company: 48 buildings behind four heat stations, and a greenhouse with its pump house. All names are fictitious. */
export const demoNames = {
  tenant: 'heyuan',
  group: '和源热力集团',
  company: '和源城区供热公司',
  testUser: '测试用户',
  timeZone: 'Asia/Shanghai',
  districts: [
    {
      name: '城东区域',
      stations: [
        {
          name: '文化路换热站',
          areas: [
            { name: '阳光花园', buildings: 7, numerals: 'digits' },
            { name: '文化里小区', buildings: 5, numerals: 'digits' },
          ],
        },
        { name: '东苑换热站', areas: [{ name: '东苑小区', buildings: 12, numerals: 'chinese' }] },
      ],
    },
    {
      name: '城西区域',
      stations: [
        {
          name: '翠湖换热站',
          areas: [
            { name: '翠湖家园', buildings: 6, numerals: 'digits' },
            { name: '纺织宿舍', buildings: 6, numerals: 'digits' },
          ],
        },
        {
          name: '建设街换热站',
          stype: 's',
          areas: [{ name: '建设里小区', buildings: 12, numerals: 'digits' }],
        },
      ],
    },
  ],
  nursery: {
    name: '和源苗圃',
    pumpHouse: '苗圃温室泵房',
    areas: [
      { name: '育苗区', groups: ['扦插床', '播种床', '炼苗床'], program: '育苗弥雾' },
      { name: '盆栽区', groups: ['盆花', '观叶植物', '球根花卉'], program: '盆栽浇灌' },
    ],
  },
} as const satisfies {
  tenant: string
  group: string
  company: string
  testUser: string
  timeZone: string
  districts: readonly DistrictNames[]
  nursery: NurseryNames
}

const CHINESE = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']

/** Name of a building: 3号楼 or 三号楼. */
export const buildingName = (number: number, numerals: AreaNames['numerals']): string =>
  `${numerals === 'chinese' ? (CHINESE[number] ?? number) : number}号楼`
