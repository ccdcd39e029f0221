// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What no class does, wherever it stands. */
final class HabitsTest {

    private static final DescribedPredicate<JavaClass> LAB =
            resideInAnyPackage("io.thalweg.workloads..", "io.thalweg.micro..", "io.thalweg.lab..");

    private static final DescribedPredicate<JavaClass> CLOCK =
            describe("the clock of runs", type -> type.getName().matches("io\\.thalweg\\.run\\.Clock(\\$.*)?"));

    @Test
    void onlyTheClockShouldReadTheTime() {
        noClasses()
                .that(DescribedPredicate.not(CLOCK.or(LAB)))
                .should()
                .accessTargetWhere(uses(System.class, "nanoTime", "currentTimeMillis")
                        .or(uses(Instant.class, "now"))
                        .or(uses(Clock.class, "systemUTC", "systemDefaultZone", "system")))
                .because("a run that can be stepped and repeated has one clock, io.thalweg.run.Clock")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void onlyWorkShouldSleep() {
        noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage("io.thalweg.engine.work..", "io.thalweg.lab..")))
                .should()
                .accessTargetWhere(sleeps())
                .because(
                        "what waits does so in engine.work, or in the lab for another process; everything else is called again")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void testsShouldStepInsteadOfSleeping() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.thalweg.engine.work..")
                .should()
                .accessTargetWhere(sleeps())
                .check(ProjectClasses.TESTS);
    }

    @Test
    void contractsShouldEndInTime() {
        classes()
                .that()
                .resideInAPackage("io.thalweg.testkit.contract")
                .and()
                .haveSimpleNameEndingWith("Contract")
                .should()
                .beAnnotatedWith(Timeout.class)
                .because("a runner that hangs must not hang the build, and the stacks of its threads are printed then")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void onlyTheCommandLineAndTheLabShouldPrint() {
        noClasses()
                .that(DescribedPredicate.not(LAB.or(resideInAnyPackage("io.thalweg.cli.."))))
                .should()
                .accessTargetWhere(uses(System.class, "out", "err").or(uses(Throwable.class, "printStackTrace")))
                .because("a library returns what it has to say, or throws it")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void namesShouldSayWhatAThingIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void packagesShouldSayWhatTheyHold() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..core..", "..impl..", "..internal..")
                .check(ProjectClasses.MAIN);
    }

    @Test
    void everyPackageShouldBeNullMarked() {
        Set<String> unmarked = new TreeSet<>();
        for (JavaClass type : ProjectClasses.MAIN) {
            if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                unmarked.add(type.getPackageName());
            }
        }
        assertThat(unmarked)
                .as("packages whose package-info.java lacks @NullMarked")
                .isEmpty();
    }

    @Test
    void testsShouldNotBeForgottenByTheRunner() {
        classes()
                .that(describe("hold tests", HabitsTest::holdsTests))
                .and()
                .areTopLevelClasses()
                .and()
                .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
                .should()
                .haveSimpleNameEndingWith("Test")
                .because("Surefire runs classes of that name only")
                .check(ProjectClasses.TESTS);
    }

    private static boolean holdsTests(JavaClass type) {
        return type.getMethods().stream()
                .anyMatch(method -> method.isAnnotatedWith(Test.class)
                        || method.isMetaAnnotatedWith("org.junit.platform.commons.annotation.Testable"));
    }

    private static DescribedPredicate<JavaAccess<?>> sleeps() {
        return uses(Thread.class, "sleep").or(uses(TimeUnit.class, "sleep"));
    }

    /** Calls, method references and fields alike, on the class or on one that inherits it. */
    private static DescribedPredicate<JavaAccess<?>> uses(Class<?> owner, String... members) {
        Set<String> names = Set.of(members);
        return describe(
                owner.getSimpleName() + " " + names,
                access -> names.contains(access.getTarget().getName())
                        && access.getTargetOwner().isAssignableTo(owner));
    }
}
