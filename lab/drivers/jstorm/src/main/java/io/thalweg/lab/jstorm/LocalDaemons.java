// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.Config;
import backtype.storm.LocalCluster;
import backtype.storm.LocalClusterMap;
import backtype.storm.LocalUtils;
import backtype.storm.generated.StormTopology;
import backtype.storm.utils.Utils;
import com.alibaba.jstorm.daemon.nimbus.DefaultInimbus;
import com.alibaba.jstorm.daemon.nimbus.NimbusServer;
import com.alibaba.jstorm.daemon.supervisor.Supervisor;
import com.alibaba.jstorm.zk.Factory;
import java.io.Closeable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import shade.storm.org.apache.zookeeper.server.ZooKeeperServer;

/**
 * What JStorm's LocalCluster is made of, put together in the same way, but for the servers: ZooKeeper listens on 127.0.0.1
 * alone, and the one worker has no network.
 */
final class LocalDaemons implements Closeable {
    private final LocalClusterMap state = new LocalClusterMap();

    LocalDaemons(Path folder) throws Exception {
        LocalCluster.setEnv();
        Path data = Files.createDirectories(folder.resolve("zookeeper"));
        Factory zooKeeper = new Factory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        zooKeeper.startup(new ZooKeeperServer(data.toFile(), data.toFile(), 2_000));
        state.setZookeeper(zooKeeper);
        Map<String, Object> conf = conf(zooKeeper.getLocalPort());
        state.setConf(conf);
        NimbusServer nimbus = new NimbusServer();
        state.setNimbusServer(nimbus);
        state.setNimbus(nimbus.launcherLocalServer(with(conf, folder.resolve("nimbus")), new DefaultInimbus()));
        publish(state);
        state.setSupervisor(new Supervisor().mkSupervisor(with(conf, folder.resolve("supervisor")), new NoNetwork()));
    }

    /**
     * Workers ask the one LocalCluster for nimbus. Its constructor would start the servers that listen everywhere, so this one is
     * made without, as deserialization does it.
     */
    private static void publish(LocalClusterMap state) throws ReflectiveOperationException {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Constructor<?> constructor =
                (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                        .invoke(
                                factory.getMethod("getReflectionFactory").invoke(null),
                                LocalCluster.class,
                                Object.class.getDeclaredConstructor());
        Object cluster = constructor.newInstance();
        Field itsState = LocalCluster.class.getDeclaredField("state");
        itsState.setAccessible(true);
        itsState.set(cluster, state);
        Field instance = LocalCluster.class.getDeclaredField("instance");
        instance.setAccessible(true);
        instance.set(null, cluster);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> conf(int zooKeeperPort) {
        Map<String, Object> conf = new HashMap<>(LocalUtils.getLocalConf(zooKeeperPort));
        conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
        return conf;
    }

    private static Map<String, Object> with(Map<String, Object> conf, Path local) {
        Map<String, Object> own = new HashMap<>(conf);
        own.put(Config.STORM_LOCAL_DIR, local.toString());
        return own;
    }

    @SuppressWarnings("unchecked")
    void submit(String name, Config config, StormTopology topology) throws Exception {
        config.putAll(LocalUtils.getLocalBaseConf());
        state.getNimbus().submitTopology(name, null, Utils.to_json(config), topology);
    }

    @Override
    public void close() {
        state.clean();
    }
}
