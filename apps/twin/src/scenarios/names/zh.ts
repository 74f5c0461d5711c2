import type { ScenarioNames } from './scenario-names.ts'

const CHINESE = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']

export const namesZh: ScenarioNames = {
  demo: {
    group: '和源热力集团',
    company: '和源城区供热公司',
    testUser: '测试用户',
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
  },
  towns: { village: '和源小镇', town: '和源镇', city: '和源市', park: '和源园林' },
  heatingCompany: (town) => `${town}供热公司`,
  irrigationCompany: (town) => `${town}灌溉公司`,
  district: (number) => `${number}区`,
  irrigatedDistrict: '灌区',
  station: (number) => `${number}号换热站`,
  area: (station, number) => `${station}站${number}小区`,
  building: (number, numerals) => `${numerals === 'chinese' ? (CHINESE[number] ?? number) : number}号楼`,
  unit: (number) => `${number}单元`,
  pumpHouse: (number) => `${number}号泵站`,
  plot: (pumpHouse, number) => `${pumpHouse}站${number}号片区`,
  group: (number) => `${number}号轮灌组`,
  branch: (number) => `${number}号支管`,
  supplies: (areas, buildings) => `供 ${areas.join('、')}，${buildings} 栋`,
  devices: {
    concentrator: (station) => `${station}集中器`,
    controller: (station) => `${station}控制柜`,
    heatMeter: (building) => `${building}热量表`,
    controlValve: (building, unit) => `${building}${unit}调节阀`,
    waterValve: (group, branch) => `${group}${branch}电磁阀`,
    roomSensor: (flat) => `${flat}室温采集器`,
    flowMeter: (pumpHouse) => `${pumpHouse}流量计`,
    rainGauge: (pumpHouse) => `${pumpHouse}雨量计`,
    soilProbe: (group) => `${group}土壤探头`,
  },
}
