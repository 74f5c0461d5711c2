import { expect, test } from 'vitest'
import { zh as common } from '../../shared/locales/zh.ts'
import { findLevelName } from '../../shared/nodes/level-name.ts'
import { zh } from './locales/zh.ts'

test('§2 Layout: the search input has the placeholder 输入关键字, and the tree the loading text 正在努力加载.....', () => {
  expect(zh.search).toBe('输入关键字')
  expect(zh.loading).toBe('正在努力加载.....')
})

test('§3 Tree levels: the root is 二网监控平台, and the levels below it have labels down to level 8', () => {
  expect(zh.root).toBe('二网监控平台')
  const labels = Array.from({ length: 8 }, (_, index) => {
    const name = findLevelName(index + 1)
    return name === undefined ? undefined : common.level[name]
  })
  expect(labels).toEqual(['集团', '公司', '区域', '换热站', '小区', '楼号', '单元', '户号'])
  expect(findLevelName(9)).toBeUndefined()
  expect(common.level.address).toBe('级联地址')
})

test('§8 Error catalogue: the three warnings of the tree have their texts', () => {
  expect(zh.groupsFailed).toBe('获取分组错误')
  expect(zh.addressesFailed).toBe('取子用户地址错误')
  expect(zh.subUsersFailed).toBe('取子用户错误')
})
