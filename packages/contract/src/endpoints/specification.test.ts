import { expect, test } from 'vitest'
import type { Backend } from '../endpoint.ts'
import { endpoints } from './all.ts'

/** Section 7 of the specification, spelled as it spells them. All are POST but for those that say GET. */
const calls = {
  'usr-cloud': `
    /user/login /user/getUser /vn/user/getUsers /vn/userlog/userop/add /user/editUserEnableState
    GET:/user/refreshToken /user/regUser2 /user/editUser /user/sendVerificationCode /user/deleteUsers /dev/getDevs
    /dev/getDevice /dev/getDeviceInfoByDeviceNos /projectInfo/queryProjectList /projectInfo/addProject
    /projectInfo/editProject /projectInfo/deleteProject /dev/getDevGroups /dev/addDevGroup /dev/deleteDevGroups
    /dev/editDevGroup /vn/deviceGroup/getSuidAndDeviceByPuid /vn/dev/getDevsForVn`,
  'ht-api': `
    GET:/User/ReflushToken GET:/Model/GetAllDevModels
    GET:/UserRole/GetUserRoles GET:/UserRole/GetAllUserRoles /UserRole/AddUserRole /UserRole/DelUserRole
    /Module/GetAllModulesU /Module/GetAllModulesP GET:/Module/GetAllModules /Module/AddModules /Module/EditModules
    /Module/DeleteMdoules
    /Role/GetAllRolesP /Role/AddRole /Role/EditRoleModule /Role/DeleteRole /Role/GetRoleByOwnName
    /Role/GetRoleByOtherName
    /Rbac/Z7TLogin /Rbac/GetHtmlResByTK /Rbac/GetResByTK /Rbac/UpdateRoleResByTK /Rbac/InsertRoleResPerByTk
    /Rbac/GetSubUserByTk /Rbac/GetSubUserResByTK /Rbac/InsertUserByTk /Rbac/InsertUserRoleByTk
    /Rbac/GetUserDevSubNestAddrByTk /Rbac/InsertUserDevByTk /Rbac/InsertSubUserDevByTk /Rbac/GetUserDevCondByTk
    /Rbac/UpdateUserDevByTk /Rbac/DeleteUserDevByTk /Rbac/DeleteSubUserDevByTk /Rbac/WxUpdateDevByTk
    /Rbac/WxGetSubUser4DevByTk /Rbac/InsertCtlDev /Rbac/DeleteCtlDev
    /Subdivision/AddSubdivision /Subdivision/EditSubdivision /Subdivision/DeletSubdivision
    /Vauser/GetSubUser /Vauser/AddSubUser /Vauser/EditSubUser /Vauser/DeleteVauser /Vauser/GetLikeSubUser
    /Dev/GetDevPre /Dev/UpdateDevPre /Dev/GetThreeSelectNewRealDev /Dev/GetThreeSelectNewRealDevOrderBy /Dev/ExcelAdd
    /Dev/IsExistImei /Dev/ZgetDevsFromPrjTree /Dev/ZgetDataHisFromDevs /Dev/ZgetDataLastFromPrjTree
    /Dev/ZgetDataLastFromNodeList /Dev/ZupdateDevLastOpenset /Dev/RbacGetDataLastFromLeafs
    /Dev/RbacGetDataHisFromDevs
    /CtlDev/UpdateBatchDev /CtlDev/DeleteCtlCmd /CtlDev/PublishMqCtlCmd /CtlDev/GetCtlLogCmdLast /CtlDev/GetCtlLog
    /CtlDev/InsertCtlDev /CtlDev/GetCtlDev /CtlDev/UpdateCtlDev /CtlDev/DeleteCtlDev /CtlDev/InsertCtlGroup
    /CtlDev/InsertDev /CtlDev/GetDev /CtlDev/UpdateDev /CtlDev/DeleteDev /CtlDev/InsertSubdiv /CtlDev/GetSubdiv
    /CtlDev/InsertVauser /CtlDev/GetVauser /CtlDev/GetZoneGis /CtlDev/UpdateZoneGis`,
} as const satisfies Record<Backend, string>

const toCalls = (backend: Backend) =>
  calls[backend]
    .trim()
    .split(/\s+/)
    .map((call) => {
      const [first = '', second] = call.split(':')
      return { backend, method: second === undefined ? 'POST' : first, path: second ?? first }
    })

const declared = Object.values(endpoints).map(({ backend, method, path }) => ({ backend, method, path }))

test.each([...toCalls('usr-cloud'), ...toCalls('ht-api')])(
  '§7 $method $path of $backend is declared',
  (call) => {
    expect(declared).toContainEqual(call)
  },
)
