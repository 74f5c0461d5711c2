import type { RegistryDevice, RegistryFile, RegistryNode } from '@isotherm/contract/network/registry-file'
import { type GatewayLogin, toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import type { LiveSettings } from './settings.ts'

const TENANT = 'demo'
const names = ['测试集团', '测试公司', '测试区域', '测试站'] as const
const common = { model: 'bench', periodS: 10 } as const

export const toConcentrator = (index: number): string => `LC${index}`
export const toValve = (concentrator: number, index: number): string => `LV${concentrator}-${index}`

export const toLogin = (index: number, secret: string): GatewayLogin =>
  toGatewayLogin(secret, TENANT, toConcentrator(index))

export const toTopic = (index: number): string => `hx/v1/${TENANT}/${toConcentrator(index)}/up/telemetry`

function describeArea(at: number, valves: number): { nodes: RegistryNode[]; devices: RegistryDevice[] } {
  const [area, building] = [`area${at}`, `building${at}`]
  const on = { ...common, node: building }
  return {
    nodes: [
      { key: area, parent: 'top3', kind: 'group', level: 5, name: `${at}区` },
      { key: building, parent: area, kind: 'sub-user', level: 6, name: '1号楼' },
    ],
    devices: [
      { ...on, serial: toConcentrator(at), kind: 'concentrator', name: '集中器', concentrator: null },
      ...Array.from(
        { length: valves },
        (_, index): RegistryDevice => ({
          ...on,
          serial: toValve(at, index),
          kind: 'valve',
          name: `阀${index}`,
          concentrator: toConcentrator(at),
        }),
      ),
    ],
  }
}

/** A company of areas, each with a concentrator and the valves behind it. */
export function describeCompany({ concentrators, valves }: LiveSettings): RegistryFile {
  const areas = Array.from({ length: concentrators }, (_, at) => describeArea(at, valves))
  const top = names.map(
    (name, index): RegistryNode => ({
      key: `top${index}`,
      parent: index === 0 ? null : `top${index - 1}`,
      level: index + 1,
      name,
      kind: index === 0 ? 'project' : 'group',
    }),
  )
  return {
    v: 1,
    company: { tenant: TENANT, name: '压测公司', timeZone: 'Asia/Shanghai' },
    nodes: [...top, ...areas.flatMap(({ nodes }) => nodes)],
    devices: areas.flatMap(({ devices }) => devices),
  }
}
