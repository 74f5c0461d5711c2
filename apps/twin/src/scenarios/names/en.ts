import type { ScenarioNames } from './scenario-names.ts'

export const namesEn: ScenarioNames = {
  demo: {
    group: 'Heyuan Heating Group',
    company: 'Heyuan City Heating',
    testUser: 'Test user',
    districts: [
      {
        name: 'East district',
        stations: [
          {
            name: 'Culture Road station',
            areas: [
              { name: 'Sunshine Garden', buildings: 7, numerals: 'digits' },
              { name: 'Culture Lane', buildings: 5, numerals: 'digits' },
            ],
          },
          { name: 'East Park station', areas: [{ name: 'East Park', buildings: 12, numerals: 'chinese' }] },
        ],
      },
      {
        name: 'West district',
        stations: [
          {
            name: 'Green Lake station',
            areas: [
              { name: 'Green Lake Homes', buildings: 6, numerals: 'digits' },
              { name: 'Textile Mill Homes', buildings: 6, numerals: 'digits' },
            ],
          },
          {
            name: 'Builders Street station',
            stype: 's',
            areas: [{ name: 'Builders Lane', buildings: 12, numerals: 'digits' }],
          },
        ],
      },
    ],
    nursery: {
      name: 'Heyuan Nursery',
      pumpHouse: 'Greenhouse pump house',
      areas: [
        { name: 'Seedlings', groups: ['Cuttings', 'Seed beds', 'Hardening beds'], program: 'Seedling mist' },
        { name: 'Pots', groups: ['Flowers', 'Foliage plants', 'Bulbs'], program: 'Pot watering' },
      ],
    },
  },
  towns: { village: 'Heyuan Village', town: 'Heyuan Town', city: 'Heyuan City', park: 'Heyuan Parks' },
  heatingCompany: (town) => `${town} Heating`,
  irrigationCompany: (town) => `${town} Irrigation`,
  district: (number) => `District ${number}`,
  irrigatedDistrict: 'Irrigated land',
  station: (number) => `Station ${number}`,
  area: (station, number) => `Area ${station}.${number}`,
  building: (number) => `Building ${number}`,
  unit: (number) => `Unit ${number}`,
  pumpHouse: (number) => `Pump house ${number}`,
  plot: (pumpHouse, number) => `Plot ${pumpHouse}.${number}`,
  group: (number) => `Group ${number}`,
  branch: (number) => `Branch ${number}`,
  supplies: (areas, buildings) => `Supplies ${areas.join(' and ')}: ${buildings} buildings`,
  devices: {
    concentrator: (station) => `${station} concentrator`,
    controller: (station) => `${station} controller`,
    heatMeter: (building) => `${building} heat meter`,
    controlValve: (building, unit) => `${building} ${unit} control valve`,
    waterValve: (group, branch) => `${group} ${branch} valve`,
    roomSensor: (flat) => `${flat} room sensor`,
    flowMeter: (pumpHouse) => `${pumpHouse} flow meter`,
    rainGauge: (pumpHouse) => `${pumpHouse} rain gauge`,
    soilProbe: (group) => `${group} soil probe`,
  },
}
