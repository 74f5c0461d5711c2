import type { Endpoint } from '../endpoint.ts'
import { alarmRulesEndpoints } from './alarm-rules.ts'
import { alarmsEndpoints } from './alarms.ts'
import { balancingEndpoints } from './balancing.ts'
import { commandBatchesEndpoints } from './command-batches.ts'
import { commandsEndpoints } from './commands.ts'
import { consoleEndpoints } from './console.ts'
import { controlDevicesEndpoints } from './control-devices.ts'
import { deviceGroupsEndpoints } from './device-groups.ts'
import { deviceModelsEndpoints } from './device-models.ts'
import { devicesEndpoints } from './devices.ts'
import { emittersEndpoints } from './emitters.ts'
import { findingsEndpoints } from './findings.ts'
import { grantsEndpoints } from './grants.ts'
import { groupsEndpoints } from './groups.ts'
import { historyEndpoints } from './history.ts'
import { interfacesEndpoints } from './interfaces.ts'
import { mapEndpoints } from './map.ts'
import { modulesEndpoints } from './modules.ts'
import { networkEndpoints } from './network.ts'
import { networkFiguresEndpoints } from './network-figures.ts'
import { operationsEndpoints } from './operations.ts'
import { organisationsEndpoints } from './organisations.ts'
import { pipesEndpoints } from './pipes.ts'
import { projectsEndpoints } from './projects.ts'
import { pumpsEndpoints } from './pumps.ts'
import { quarantineEndpoints } from './quarantine.ts'
import { rawFramesEndpoints } from './raw-frames.ts'
import { realValuesEndpoints } from './real-values.ts'
import { resourcesEndpoints } from './resources.ts'
import { roleCodesEndpoints } from './role-codes.ts'
import { rolesEndpoints } from './roles.ts'
import { sessionEndpoints } from './session.ts'
import { strategiesEndpoints } from './strategies.ts'
import { subdivisionsEndpoints } from './subdivisions.ts'
import { telemetryEndpoints } from './telemetry.ts'
import { transferEndpoints } from './transfer.ts'
import { treeEndpoints } from './tree.ts'
import { userAccessEndpoints } from './user-access.ts'
import { userRolesEndpoints } from './user-roles.ts'
import { usersEndpoints } from './users.ts'
import { valveHoldsEndpoints } from './valve-holds.ts'
import { vausersEndpoints } from './vausers.ts'
import { zoneGisEndpoints } from './zone-gis.ts'

/** Every endpoint by name: what the server must handle, OpenAPI describes and the permission tests walk. */
export const endpoints = {
  ...sessionEndpoints,
  ...consoleEndpoints,
  ...networkEndpoints,
  ...treeEndpoints,
  ...projectsEndpoints,
  ...groupsEndpoints,
  ...strategiesEndpoints,
  ...subdivisionsEndpoints,
  ...vausersEndpoints,
  ...zoneGisEndpoints,
  ...pipesEndpoints,
  ...emittersEndpoints,
  ...mapEndpoints,
  ...telemetryEndpoints,
  ...networkFiguresEndpoints,
  ...historyEndpoints,
  ...realValuesEndpoints,
  ...findingsEndpoints,
  ...quarantineEndpoints,
  ...rawFramesEndpoints,
  ...commandsEndpoints,
  ...commandBatchesEndpoints,
  ...valveHoldsEndpoints,
  ...pumpsEndpoints,
  ...deviceModelsEndpoints,
  ...devicesEndpoints,
  ...controlDevicesEndpoints,
  ...deviceGroupsEndpoints,
  ...usersEndpoints,
  ...userAccessEndpoints,
  ...userRolesEndpoints,
  ...grantsEndpoints,
  ...modulesEndpoints,
  ...rolesEndpoints,
  ...roleCodesEndpoints,
  ...organisationsEndpoints,
  ...resourcesEndpoints,
  ...operationsEndpoints,
  ...interfacesEndpoints,
  ...transferEndpoints,
  ...alarmsEndpoints,
  ...alarmRulesEndpoints,
  ...balancingEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
