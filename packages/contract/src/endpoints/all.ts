import type { Endpoint } from '../endpoint.ts'
import * as commands from './commands.ts'
import * as consoleSettings from './console.ts'
import * as network from './network.ts'
import * as session from './session.ts'
import * as telemetry from './telemetry.ts'
import * as tree from './tree.ts'

/** Every endpoint by name: what the server must handle, OpenAPI describes and the permission tests walk. */
export const endpoints = {
  login: session.login,
  logout: session.logout,
  getUser: session.getUser,
  refreshToken: session.refreshToken,
  tokenLogin: session.tokenLogin,
  reflushToken: session.reflushToken,
  getAllModulesU: session.getAllModulesU,
  getConsoleSettings: consoleSettings.getConsoleSettings,
  queryProjectList: network.queryProjectList,
  getDevGroups: network.getDevGroups,
  getSubdiv: network.getSubdiv,
  getSubUser: network.getSubUser,
  getVauser: network.getVauser,
  searchTree: tree.searchTree,
  getDevsFromPrjTree: telemetry.getDevsFromPrjTree,
  getDataLastFromNodeList: telemetry.getDataLastFromNodeList,
  getDataHisFromDevs: telemetry.getDataHisFromDevs,
  getNodeHealth: tree.getNodeHealth,
  publishMqCtlCmd: commands.publishMqCtlCmd,
  getCtlLog: commands.getCtlLog,
  getCtlLogCmdLast: commands.getCtlLogCmdLast,
  deleteCtlCmd: commands.deleteCtlCmd,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
