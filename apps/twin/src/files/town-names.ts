import type { Language } from '@isotherm/contract/locales/error-text'

/** Names of a made town; streets are counted from 0. */
interface TownNames {
  readonly attribution: string
  readonly river: string
  readonly park: string
  readonly pond: string
  readonly ring: string
  readonly avenue: (index: number) => string
  readonly crossing: (index: number) => string
  readonly street: (index: number) => string
}

/** A name of a list; past its end the names repeat with a number. */
const pick =
  (names: readonly string[], toNumbered: (name: string, round: number) => string) =>
  (index: number): string => {
    const name = names[index % names.length] ?? ''
    const round = Math.floor(index / names.length)
    return round === 0 ? name : toNumbered(name, round + 1)
  }

const zh: TownNames = {
  attribution: '虚构城镇',
  river: '清河',
  park: '人民公园',
  pond: '镜湖',
  ring: '环城路',
  avenue: pick(['解放大街', '建设大街', '和平大街', '胜利大街'], (name, round) => `${name}${round}段`),
  crossing: pick(['中山路', '文化路', '新华路', '青年路'], (name, round) => `${name}${round}段`),
  street: pick(
    ['朝阳街', '育才街', '纺织街', '光明街', '工农街', '迎春街', '友谊街', '向阳街'],
    (name, round) => `${name}${round}巷`,
  ),
}

const en: TownNames = {
  attribution: 'A made town',
  river: 'Clear River',
  park: 'People’s Park',
  pond: 'Mirror Pond',
  ring: 'Ring Road',
  avenue: pick(
    ['North Avenue', 'Builders Avenue', 'Peace Avenue', 'Victory Avenue'],
    (name, round) => `${name} ${round}`,
  ),
  crossing: pick(
    ['Market Road', 'Culture Road', 'Station Road', 'School Road'],
    (name, round) => `${name} ${round}`,
  ),
  street: pick(
    [
      'Sunrise Street',
      'Orchard Street',
      'Weavers Street',
      'Bright Street',
      'Mill Street',
      'Spring Street',
      'Friends Street',
      'South Street',
    ],
    (name, round) => `${name} ${round}`,
  ),
}

const names: Readonly<Record<Language, TownNames>> = { zh, en }

export const townNames = (language: Language): TownNames => names[language]
