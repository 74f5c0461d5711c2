import type { Group, Project, Vauser } from '@isotherm/contract/endpoints/network'
import { ADDRESS_SEPARATOR, ROOT_KEY, toAddressKey, treeLevels } from '@isotherm/contract/tree'
import { compareNames } from '@isotherm/kernel/chinese-numerals'
import { joinNames, type TreeNode, toChain } from './tree-node.ts'

export const toProjectNode = ({ id, projectName }: Project): TreeNode => ({
  key: String(id),
  node: String(id),
  label: projectName,
  level: treeLevels.group,
  parent: ROOT_KEY,
  parentids: '',
  nestaddr: projectName,
  nodetype: 'project',
  projectid: id,
})

/** The groups below a node and below each other, parents first. */
export function toGroupNodes(parent: TreeNode, groups: readonly Group[]): readonly TreeNode[] {
  return groups.flatMap((group) => {
    const node: TreeNode = {
      key: String(group.id),
      node: String(group.id),
      label: group.title,
      level: group.level,
      parent: parent.key,
      parentids: toChain(parent),
      nestaddr: joinNames(parent.nestaddr, group.title),
      nodetype: 'group',
      projectid: group.projectId,
    }
    return [node, ...toGroupNodes(node, group.childrens)]
  })
}

/** The address levels below a sub-user: 1单元-301 stands as 301 below 1单元. */
function toAddressNodes(subUser: TreeNode, addresses: readonly string[]): readonly TreeNode[] {
  const nodes = new Map<string, TreeNode>()
  for (const address of addresses) {
    let parent = subUser
    let path = ''
    for (const [index, part] of address.split(ADDRESS_SEPARATOR).entries()) {
      path = path === '' ? part : `${path}${ADDRESS_SEPARATOR}${part}`
      const known = nodes.get(path)
      if (known) {
        parent = known
        continue
      }
      const node: TreeNode = {
        key: toAddressKey(subUser.key, index + 1, path),
        node: toAddressKey(subUser.node, index + 1, path),
        label: part,
        level: subUser.level + index + 1,
        parent: parent.key,
        parentids: toChain(parent),
        nestaddr: joinNames(parent.nestaddr, part),
        nodetype: 'addr',
        projectid: subUser.projectid,
      }
      nodes.set(path, node)
      parent = node
    }
  }
  return [...nodes.values()]
}

/**
 * The sub-users below a residential area, ordered by name with numerals by value, each with its addresses.
 * The sub-user marked for testing is always appended, with the addresses of all (specification, section 3).
 */
export function toSubUserNodes(parent: TreeNode, all: readonly Vauser[]): readonly TreeNode[] {
  const chain = toChain(parent)
  const own = all
    .filter((user) => user.info.pids === chain && !user.test)
    .toSorted((left, right) => compareNames(left.name, right.name))
  const toNodes = (user: Vauser, key: string, addresses: readonly string[]): readonly TreeNode[] => {
    const node: TreeNode = {
      key,
      node: user.uuid,
      label: user.name,
      level: parent.level + 1,
      parent: parent.key,
      parentids: chain,
      nestaddr: joinNames(parent.nestaddr, user.name),
      nodetype: 'user',
      projectid: parent.projectid,
    }
    return [node, ...toAddressNodes(node, [...addresses].toSorted(compareNames))]
  }
  const nodes = own.flatMap((user) => toNodes(user, user.uuid, user.addrlist))
  const test = all.find((user) => user.test)
  if (!test) return nodes
  const union = [...new Set(all.flatMap((user) => user.addrlist))]
  return [...nodes, ...toNodes(test, `${test.uuid}@${parent.key}`, union)]
}
