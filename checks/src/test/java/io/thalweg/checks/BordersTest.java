// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.python.PythonPackage;
import io.thalweg.run.FeatureRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may know whom: modules are the borders, the engine's packages the stations of a record. */
final class BordersTest {

    private static final String[] ROADS_AND_DOORS = {
        "io.thalweg.engine..",
        "io.thalweg.files..",
        "io.thalweg.kafka..",
        "io.thalweg.jdbc..",
        "io.thalweg.http..",
        "io.thalweg.sql..",
        "io.thalweg.storm..",
        "io.thalweg.flink..",
        "io.thalweg.doctor..",
        "io.thalweg.web.."
    };

    @Test
    void apiShouldKnowOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.api..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.thalweg.api..", "java..", "org.jspecify..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void runShouldKnowOnlyTheApi() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.run..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.thalweg.run..", "io.thalweg.api..", "java..", "org.jspecify..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void rulesOfTimeShouldKnowOnlyTheApi() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.run.time..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.run.time..", "io.thalweg.api..", "java.lang..", "java.util", "org.jspecify..")
                .because("they are pure logic: no threads, no files")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void oracleShouldShareNoRulesWithTheRunners() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.testkit.oracle..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "io.thalweg.testkit.oracle..", "io.thalweg.api..", "java..", "org.jspecify..")
                        .or(type(FeatureRules.class)))
                .because("it would make their mistakes")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void engineShouldKnowOnlyTheApiAndWhatRunsHaveInCommon() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.engine..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.engine..",
                        "io.thalweg.run..",
                        "io.thalweg.api..",
                        "java..",
                        "com.sun.management..", // the JDK's own: CPU time of the process
                        "com.sun.nio.file..", // the JDK's own: writes past the page cache
                        "org.jspecify..",
                        "org.HdrHistogram..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void workloadsShouldKnowOnlyTheApi() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.workloads..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.workloads..",
                        "io.thalweg.api..",
                        "java..",
                        "org.jspecify..",
                        "com.alibaba.fastjson2..") // the parser that the lab gives to all engines alike
                .check(ProjectClasses.MAIN);
    }

    @Test
    void jobShouldKnowOnlyTheApi() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.job..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.thalweg.job..", "io.thalweg.api..", "java..", "javax.tools..", "org.jspecify..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void columnarFormatsShouldKnowOnlyFilesAndTheirLibraries() {
        classes()
                .that()
                .resideInAnyPackage("io.thalweg.columnar..", "io.thalweg.parquet..", "io.thalweg.avro..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.columnar..",
                        "io.thalweg.parquet..",
                        "io.thalweg.avro..",
                        "io.thalweg.files..",
                        "io.thalweg.api..",
                        "java..",
                        "org.jspecify..",
                        "org.apache.parquet..",
                        "shaded.parquet..",
                        "org.apache.avro..",
                        "com.github.luben.zstd..",
                        "org.xerial.snappy..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void nobodyShouldNeedTheLibrariesOfColumnarFormats() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.thalweg.columnar..", "io.thalweg.parquet..", "io.thalweg.avro..", "io.thalweg.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.columnar..",
                        "io.thalweg.parquet..",
                        "io.thalweg.avro..",
                        "org.apache.parquet..",
                        "org.apache.avro..",
                        "com.github.luben.zstd..",
                        "org.xerial.snappy..")
                .because("they are fetched only for jobs that name them")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void kafkaShouldKnowOnlyTheApiAndItsClient() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.kafka..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.kafka..",
                        "io.thalweg.api..",
                        "java..",
                        "javax.net.ssl..", // the JDK's own, too
                        "jdk.jfr..",
                        "org.jspecify..",
                        "org.apache.kafka..")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.thalweg.kafka..", "io.thalweg.broker..", "io.thalweg.cli.kafka..", "io.thalweg.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.kafka..", "org.apache.kafka..")
                .because("Kafka's client is fetched only for jobs that name it")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.thalweg.cli.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.thalweg.cli.kafka..")
                .because("the command line finds it as a service, if it is there")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void databasesShouldKnowOnlyTheApiAndTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.jdbc..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.thalweg.jdbc..", "io.thalweg.api..", "java..", "org.jspecify..")
                .because("jobs bring the drivers of their databases")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void httpShouldKnowOnlyTheApiAndTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.http..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.http..",
                        "io.thalweg.api..",
                        "java..",
                        "javax.net.ssl..", // the JDK's own, too
                        "org.jspecify..")
                .check(ProjectClasses.MAIN);
    }

    /** It takes from {@code columnar} how record classes and schemas fit together, but no format of files. */
    @Test
    void wireShouldKnowOnlyTheBindingAndItsLibraries() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.wire..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.wire..",
                        "io.thalweg.avro.binding..",
                        "io.thalweg.columnar..",
                        "io.thalweg.files..",
                        "io.thalweg.api..",
                        "java..",
                        "org.jspecify..",
                        "org.apache.avro..",
                        "com.google.protobuf..")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages("io.thalweg.wire..", "io.thalweg.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.wire..", "com.google.protobuf..")
                .because("Protobuf is fetched only for jobs that name it")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void pythonShouldKnowOnlyTheApiAndMessagePack() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.python..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.python..",
                        "io.thalweg.api..",
                        "java..",
                        "jdk.jfr..",
                        "org.jspecify..",
                        "org.msgpack..")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.thalweg.python..",
                        "io.thalweg.stormdoor.multilang..",
                        "io.thalweg.lab.thalweg",
                        "io.thalweg.lab.hand.child")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.thalweg.python..", "org.msgpack..")
                        .and(not(type(PythonPackage.class))))
                .because("MessagePack is fetched only for jobs that name it")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void stormDoorShouldKnowOnlyTheEngineAndStormsClient() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.stormdoor..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.stormdoor..",
                        "io.thalweg.python", // children in Python, and their frames
                        "io.thalweg.python.arrow",
                        "io.thalweg.python.text",
                        "org.msgpack..",
                        "org.HdrHistogram..",
                        "io.thalweg.engine",
                        "io.thalweg.run..",
                        "io.thalweg.api..",
                        "java..",
                        "org.jspecify..",
                        "org.slf4j..",
                        "com.esotericsoftware.kryo..", // Storm's serialization of tuples
                        "com.codahale.metrics..", // what tasks register with Storm
                        "org.apache.storm..")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.thalweg.stormdoor..",
                        "io.thalweg.stormlocal..",
                        "io.thalweg.cli.storm..",
                        "io.thalweg.lab.storm..",
                        "org.apache.storm")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.thalweg.stormdoor..")
                .because("Storm's client is fetched only for jobs that name it")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void parquetAndAvroShouldNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage("io.thalweg.parquet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.avro..", "org.apache.avro..")
                .check(ProjectClasses.MAIN);
        noClasses()
                .that()
                .resideInAPackage("io.thalweg.avro..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.parquet..", "org.apache.parquet..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void doctorShouldKnowOnlyWhatWasMeasured() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.doctor..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "io.thalweg.doctor..",
                                "io.thalweg.api.stats..",
                                "java..",
                                "com.sun.management..", // the JDK's own, too: the load of the machine
                                "javax.management..", // and where it records
                                "jdk.jfr..",
                                "org.jspecify..",
                                "com.fasterxml.jackson.core..",
                                "org.apache.commons.statistics..")
                        .or(type(Suggestion.class)) // of a name that a user may have meant
                        .or(type(StableHash.class))) // which task gets a key
                .check(ProjectClasses.MAIN);
    }

    @Test
    void nobodyShouldKnowTheHistory() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.thalweg.cli.history..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.cli.history..", "org.sqlite..")
                .because("the command line finds it as a service, if it is there")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void webShouldKnowOnlyWhatWasMeasured() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.web..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.web..",
                        "io.thalweg.api.stats..",
                        "java..",
                        "com.sun.net.httpserver..", // the JDK's own, too
                        "org.jspecify..",
                        "com.fasterxml.jackson.core..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void rulesShouldJudgeObservationsOfAnyEngine() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.thalweg.doctor.rule..", "io.thalweg.doctor.observation..", "io.thalweg.doctor.finding..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.thalweg.doctor.embedded..",
                        "io.thalweg.doctor.flink..",
                        "java.net..",
                        "jdk.jfr..",
                        "com.sun.management..")
                .because("an observation may come from elsewhere, and is judged the same")
                .check(ProjectClasses.MAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"engine", "files", "kafka", "jdbc", "http", "sql", "storm", "flink", "doctor", "web"})
    void roadsAndDoorsShouldNotKnowEachOther(String module) {
        String own = "io.thalweg." + module + "..";
        DescribedPredicate<JavaClass> others =
                resideInAnyPackage(ROADS_AND_DOORS).and(not(resideInAnyPackage(own)));
        boolean hosts = module.equals("storm"); // its tasks are the engine's, which come through the engine's door
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(hosts ? others.and(not(resideInAnyPackage("io.thalweg.engine"))) : others)
                .check(ProjectClasses.MAIN);
    }

    @Test
    void onlyThePublicDoorOfTheEngineShouldBeUsed() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.thalweg.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.thalweg.engine.*..")
                .because("the engine is used through EmbeddedRunner and Job; its stations may change")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void nobodyShouldKnowTheCommandLineOrTheBenchmarks() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.thalweg.cli..", "io.thalweg.micro..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.cli..", "io.thalweg.micro..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void packagesShouldHaveNoCycles() {
        slices().matching("io.thalweg.(**)").should().beFreeOfCycles().check(ProjectClasses.MAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "stats", "work"})
    void queueStatsAndWorkShouldKnowNoOtherStation(String station) {
        String own = "io.thalweg.engine." + station + "..";
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.thalweg.engine..").and(not(resideInAnyPackage(own))))
                .check(ProjectClasses.MAIN);
    }

    @Test
    void stationsShouldNotKnowThePlan() {
        noClasses()
                .that()
                .resideInAPackage("io.thalweg.engine.*..")
                .and()
                .resideOutsideOfPackage("io.thalweg.engine.plan..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.thalweg.engine", "io.thalweg.engine.plan..")
                .because("the plan knows all stations, and none knows it")
                .check(ProjectClasses.MAIN);
    }

    /** What a cell's settings tell is declared in driver.yaml, and known before a JVM starts; of users' jobs and options the engine knows. */
    @Test
    void driversShouldRefuseOnlyWhatTheMachineLacks() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.thalweg.lab.driver.PythonCommand")
                .and()
                .doNotHaveFullyQualifiedName("io.thalweg.lab.kafka.Producers")
                .and()
                .doNotHaveFullyQualifiedName("io.thalweg.lab.thalweg.UserTopology")
                .and()
                .haveNameNotMatching("io\\.thalweg\\.lab\\.(thalweg|flink|storm)\\.(Known)?Options")
                .should()
                .callConstructor(RefusedException.class, String.class)
                .check(ProjectClasses.MAIN);
    }
}
