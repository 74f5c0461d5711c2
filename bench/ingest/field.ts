import { toUpTopic } from '@isotherm/contract/mqtt'
import type { RegistryDevice, RegistryFile, RegistryNode } from '@isotherm/contract/network/registry-file'
import { toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import type { LoadGateway } from './load-settings.ts'

/** Tenant of the company of `describeField`. */
export const BENCH_TENANT = 'bench'
const pad = (index: number) => String(index).padStart(3, '0')
const concentratorSerial = (index: number) => `BC${pad(index)}`
const meterSerial = (concentrator: number, index: number) => `BM${pad(concentrator)}${pad(index)}`

const names = ['测试集团', '测试公司', '测试区域', '测试站', '测试小区', '1号楼']

const chain: readonly RegistryNode[] = names.map((name, index) => ({
  key: `n${index}`,
  parent: index === 0 ? null : `n${index - 1}`,
  kind: index === 0 ? 'project' : index === names.length - 1 ? 'sub-user' : 'group',
  level: index + 1,
  name,
}))

/** A company of heat meters only: `concentrators` MQTT clients with `children` meters each. */
export function describeField(concentrators: number, children: number): RegistryFile {
  const node = `n${names.length - 1}`
  const devices = Array.from({ length: concentrators }, (_, at): RegistryDevice[] => [
    {
      serial: concentratorSerial(at),
      kind: 'concentrator',
      name: `集中器${at}`,
      model: 'bench',
      node,
      concentrator: null,
      periodS: 60,
    },
    ...Array.from(
      { length: children },
      (_child, index): RegistryDevice => ({
        serial: meterSerial(at, index),
        kind: 'heat-meter',
        name: `热表${at}.${index}`,
        model: 'bench',
        node,
        concentrator: concentratorSerial(at),
        periodS: 60,
      }),
    ),
  ]).flat()
  return {
    v: 1,
    company: { tenant: BENCH_TENANT, name: '压测公司', timeZone: 'Asia/Shanghai' },
    nodes: [...chain],
    devices,
  }
}

/** The MQTT clients of the company of `describeField`. */
export function listLoadGateways(
  concentrators: number,
  children: number,
  secret: string,
): readonly LoadGateway[] {
  return Array.from({ length: concentrators }, (_, at) => {
    const name = concentratorSerial(at)
    return {
      name,
      ...toGatewayLogin(secret, BENCH_TENANT, name),
      topic: toUpTopic(BENCH_TENANT, name, 'telemetry'),
      children: Array.from({ length: children }, (_child, index) => meterSerial(at, index)),
    }
  })
}
