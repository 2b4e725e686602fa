// kill -9 of the service: what it had counted is recorded.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clusterDirOf, homeOf } from '../../src/database/embedded/place.ts'
import { readPostmasterFile } from '../../src/database/embedded/processes.ts'
import { connect } from '../../src/database/connect.ts'
import { until } from '../helpers/until.ts'
import { FaultScene } from './scene.ts'

const kills = suite<{ scene: FaultScene }>('kill -9')

kills.before.each(async (context) => {
  context.scene = new FaultScene()
  await context.scene.start()
})
kills.after.each((context) => context.scene.clear())

kills('should show what was received before, on the day it was', async ({ scene }) => {
  await scene.sender.share({ a: 'content' })
  const { socketDir } = readPostmasterFile(clusterDirOf(homeOf(scene.dataDir)))!
  const database = connect({
    socketDir,
    user: 'transfer',
    database: 'postgres',
    connectionsMax: 1,
    applicationName: 'test',
  })
  await until('it is recorded', async () => {
    const { count } = await database.sql`select from traffic_days where received_bytes = 7`
    return count === 1
  })
  await database.close()
  await scene.kill()
  await scene.start()
  const [today] = (await scene.sender.get('/api/admin/overview?days=1')).json().days
  assert.equal([today.received_bytes, today.uploads], [7, 1])
})

kills.run()
