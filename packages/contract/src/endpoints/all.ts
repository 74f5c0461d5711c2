import type { Endpoint } from '../endpoint.ts'
import { apiKeysEndpoints } from './administration/api-keys.ts'
import { backupsEndpoints } from './administration/backups.ts'
import { brokerEndpoints } from './administration/broker.ts'
import { consoleEndpoints } from './administration/console.ts'
import { dutiesEndpoints } from './administration/duties.ts'
import { grantsEndpoints } from './administration/grants.ts'
import { interfacesEndpoints } from './administration/interfaces.ts'
import { modulesEndpoints } from './administration/modules.ts'
import { operationsEndpoints } from './administration/operations.ts'
import { passwordPolicyEndpoints } from './administration/password-policy.ts'
import { resourcesEndpoints } from './administration/resources.ts'
import { roleCodesEndpoints } from './administration/role-codes.ts'
import { rolesEndpoints } from './administration/roles.ts'
import { secondFactorEndpoints } from './administration/second-factor.ts'
import { sessionEndpoints } from './administration/session.ts'
import { singleSignOnEndpoints } from './administration/single-sign-on.ts'
import { userAccessEndpoints } from './administration/user-access.ts'
import { userRolesEndpoints } from './administration/user-roles.ts'
import { usersEndpoints } from './administration/users.ts'
import { balancingEndpoints } from './control/balancing.ts'
import { commandBatchesEndpoints } from './control/command-batches.ts'
import { commandsEndpoints } from './control/commands.ts'
import { groupSchedulesEndpoints } from './control/group-schedules.ts'
import { irrigationEndpoints } from './control/irrigation.ts'
import { pumpsEndpoints } from './control/pumps.ts'
import { savingsEndpoints } from './control/savings.ts'
import { strategiesEndpoints } from './control/strategies.ts'
import { suppliesEndpoints } from './control/supplies.ts'
import { valveExercisesEndpoints } from './control/valve-exercises.ts'
import { valveHoldsEndpoints } from './control/valve-holds.ts'
import { controlDevicesEndpoints } from './devices/control-devices.ts'
import { deviceGroupsEndpoints } from './devices/device-groups.ts'
import { deviceModelsEndpoints } from './devices/device-models.ts'
import { deviceProfilesEndpoints } from './devices/device-profiles.ts'
import { devicesEndpoints } from './devices/devices.ts'
import { gatewayConfigsEndpoints } from './devices/gateway-configs.ts'
import { gatewayLoginsEndpoints } from './devices/gateway-logins.ts'
import { lineScansEndpoints } from './devices/line-scans.ts'
import { readRequestsEndpoints } from './devices/read-requests.ts'
import { readingFilesEndpoints } from './devices/reading-files.ts'
import { sendReadingsEndpoints } from './devices/send-readings.ts'
import { transferEndpoints } from './devices/transfer.ts'
import { unregisteredDevicesEndpoints } from './devices/unregistered-devices.ts'
import { alarmRulesEndpoints } from './monitoring/alarm-rules.ts'
import { alarmsEndpoints } from './monitoring/alarms.ts'
import { findingsEndpoints } from './monitoring/findings.ts'
import { historyEndpoints } from './monitoring/history.ts'
import { meterEndpoints } from './monitoring/meters.ts'
import { quarantineEndpoints } from './monitoring/quarantine.ts'
import { rawFramesEndpoints } from './monitoring/raw-frames.ts'
import { realValuesEndpoints } from './monitoring/real-values.ts'
import { roomsEndpoints } from './monitoring/rooms.ts'
import { statisticsEndpoints } from './monitoring/statistics.ts'
import { telemetryEndpoints } from './monitoring/telemetry.ts'
import { weatherEndpoints } from './monitoring/weather.ts'
import { emittersEndpoints } from './network/emitters.ts'
import { groupsEndpoints } from './network/groups.ts'
import { mapEndpoints } from './network/map.ts'
import { networkEndpoints } from './network/network.ts'
import { networkFiguresEndpoints } from './network/network-figures.ts'
import { nodeRecordEndpoints } from './network/node-record.ts'
import { organisationsEndpoints } from './network/organisations.ts'
import { pipesEndpoints } from './network/pipes.ts'
import { projectsEndpoints } from './network/projects.ts'
import { subdivisionsEndpoints } from './network/subdivisions.ts'
import { treeEndpoints } from './network/tree.ts'
import { vausersEndpoints } from './network/vausers.ts'
import { zoneGisEndpoints } from './network/zone-gis.ts'

/** Every endpoint by name. The server must handle them; OpenAPI and the permission tests are generated from them. */
export const endpoints = {
  ...sessionEndpoints,
  ...consoleEndpoints,
  ...networkEndpoints,
  ...treeEndpoints,
  ...nodeRecordEndpoints,
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
  ...meterEndpoints,
  ...roomsEndpoints,
  ...statisticsEndpoints,
  ...weatherEndpoints,
  ...realValuesEndpoints,
  ...findingsEndpoints,
  ...quarantineEndpoints,
  ...rawFramesEndpoints,
  ...commandsEndpoints,
  ...commandBatchesEndpoints,
  ...valveHoldsEndpoints,
  ...valveExercisesEndpoints,
  ...pumpsEndpoints,
  ...suppliesEndpoints,
  ...groupSchedulesEndpoints,
  ...irrigationEndpoints,
  ...deviceModelsEndpoints,
  ...deviceProfilesEndpoints,
  ...devicesEndpoints,
  ...gatewayConfigsEndpoints,
  ...gatewayLoginsEndpoints,
  ...unregisteredDevicesEndpoints,
  ...lineScansEndpoints,
  ...readRequestsEndpoints,
  ...sendReadingsEndpoints,
  ...controlDevicesEndpoints,
  ...deviceGroupsEndpoints,
  ...usersEndpoints,
  ...userAccessEndpoints,
  ...passwordPolicyEndpoints,
  ...dutiesEndpoints,
  ...secondFactorEndpoints,
  ...singleSignOnEndpoints,
  ...userRolesEndpoints,
  ...grantsEndpoints,
  ...modulesEndpoints,
  ...rolesEndpoints,
  ...roleCodesEndpoints,
  ...organisationsEndpoints,
  ...resourcesEndpoints,
  ...operationsEndpoints,
  ...interfacesEndpoints,
  ...backupsEndpoints,
  ...brokerEndpoints,
  ...apiKeysEndpoints,
  ...transferEndpoints,
  ...readingFilesEndpoints,
  ...alarmsEndpoints,
  ...alarmRulesEndpoints,
  ...balancingEndpoints,
  ...savingsEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
